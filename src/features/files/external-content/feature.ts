import { feature } from '#platform/feature.ts'
import { mountExternalContent } from './pages.ts'

export const externalContent = feature({
  pages: [mountExternalContent],
})
