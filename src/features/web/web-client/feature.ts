import { feature } from '#platform/feature.ts'
import { mountWebClient } from './pages.ts'

export const webClient = feature({
  pages: [mountWebClient],
})
