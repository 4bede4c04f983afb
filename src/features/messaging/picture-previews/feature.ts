import { feature } from '#platform/feature.ts'
import { makeThumbnails } from './jobs.ts'
import { mountPlaceholder, mountThumbnails } from './pages.ts'
import * as routes from './routes.ts'

export const picturePreviews = feature({
  routes: { Files: [routes] },
  jobs: [makeThumbnails],
  openPages: [mountPlaceholder],
  pages: [mountThumbnails],
})
