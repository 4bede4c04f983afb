import { feature } from '#platform/feature.ts'
import { mountUploads } from './pages.ts'
import { endResumableUploads } from './resumable/jobs.ts'
import { mountResumableUploads } from './resumable/pages.ts'
import * as routes from './routes.ts'

export const uploads = feature({
  routes: { Files: [routes] },
  jobs: [endResumableUploads],
  pages: [mountUploads, mountResumableUploads],
})
