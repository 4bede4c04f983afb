import { later } from '#client/ui/later.ts'

/* What searching needs besides the box. */

export const suggesting = later(() => import('./suggestions.ts'))
/** Says what the filters mean. */
export const describing = later(() => import('#client/narrow/descriptions.ts'))
