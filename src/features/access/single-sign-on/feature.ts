import { feature } from '#platform/feature.ts'
import { mountSingleSignOn } from './pages.ts'

export const singleSignOn = feature({
  pages: [mountSingleSignOn],
})
