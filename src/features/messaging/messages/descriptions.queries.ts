import type { Description } from '#features/foundation/channels/actions.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { render } from '#platform/markdown/render.ts'
import type { Read } from '#platform/store/store.ts'
import { authorLookups } from './lookups.queries.ts'

/**
 * Renders a description like a message of its author, but without previews and images, because a
 * description does not give access to files.
 */
export function describe(read: Read, author: User, source: string, realmUrl: string): Description {
  const lookups = {
    ...authorLookups(read, author, realmUrl),
    previewsEnabled: false,
    upload: () => undefined,
  }
  return { source, html: render(source, lookups).html }
}
