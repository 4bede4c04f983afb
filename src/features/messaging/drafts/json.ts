import type { Shaped } from '#platform/shape.ts'
import type { Draft } from './queries.ts'
import type { draftShape } from './shapes.ts'

/** A draft on the wire. @source Zulip API, "Get drafts" */
export type DraftJson = Shaped<typeof draftShape>

export function draftJson({ id, type, to, topic, content, editedAt }: Draft): DraftJson {
  return { id, type, to, topic, content, timestamp: editedAt }
}
