import { feature } from '#platform/feature.ts'
import { mountJoining } from './pages.ts'

export const joining = feature({
  pages: [mountJoining],
})
