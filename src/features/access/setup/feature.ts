import { feature } from '#platform/feature.ts'
import { mountSetup } from './pages.ts'

export const setup = feature({
  pages: [mountSetup],
})
