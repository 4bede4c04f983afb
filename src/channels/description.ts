import { render } from '#markdown/render.ts'
import { authorLookups } from '#messages/lookups.ts'
import type { Read } from '#store/write.ts'
import type { User } from '#users/queries.ts'
import type { Description } from './actions.ts'

/**
 * Renders a description as its author's message would be, without previews, and without pictures
 * in it: it gives nobody access to a file.
 */
export function describe(read: Read, author: User, source: string, realmUrl: string): Description {
  const lookups = {
    ...authorLookups(read, author, realmUrl),
    previewsEnabled: false,
    upload: () => undefined,
  }
  return { source, html: render(source, lookups).html }
}
