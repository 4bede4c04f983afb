import type { Integration, Note } from '#features/integrations/webhook-services/declaration.ts'
import { Fields } from '#features/integrations/webhook-services/fields.ts'
import { notesOf } from '#features/integrations/webhook-services/rendering.ts'

/** The messages about the example of an integration, for a URL that names a channel. */
export function exampleNotes(service: Integration): readonly Note[] {
  const { headers = {}, body } = service.example
  const byName = new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  return notesOf(service, {
    payload: Fields.of(body),
    header: (name) => byName.get(name),
    option: () => undefined,
    isElsewhere: false,
  })
}
