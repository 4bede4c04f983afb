import { feature } from '#platform/feature.ts'
import { mountBringing } from './browser/pages.ts'

/** Bringing a team along from another system. */
export const imports = feature({
  pages: [mountBringing],
})
