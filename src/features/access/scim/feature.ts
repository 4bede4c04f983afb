import { feature } from '#platform/feature.ts'
import { mountScim } from './pages.ts'

export const scim = feature({
  pages: [mountScim],
})
