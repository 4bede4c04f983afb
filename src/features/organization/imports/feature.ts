import { feature } from '#platform/feature.ts'
import { mountBringing } from './browser/pages.ts'

/** Importing a team from another system. */
export const imports = feature({
  pages: [mountBringing],
})
