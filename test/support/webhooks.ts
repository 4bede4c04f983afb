import type { Integration, Note } from '#features/integrations/webhook-services/declaration.ts'
import { Fields } from '#features/integrations/webhook-services/fields.ts'
import { notesOf } from '#features/integrations/webhook-services/rendering.ts'

/** What comes with a payload. */
export interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  readonly options?: Readonly<Record<string, string>>
  /** Whether the URL names a topic. */
  readonly isElsewhere?: boolean
}

/** What an integration says of a payload. */
export function notesAbout(
  service: Integration,
  payload: unknown,
  sent: Sent = {},
): readonly Note[] {
  const { headers = {}, options = {}, isElsewhere = false } = sent
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const byName = new Map(lower)
  return notesOf(service, {
    payload: Fields.of(payload),
    header: (name) => byName.get(name),
    option: (key) => options[key],
    isElsewhere,
  })
}
