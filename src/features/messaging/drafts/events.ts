import type { EventOf } from '#platform/shape.ts'
import { draftJson } from './json.ts'
import type { Draft } from './queries.ts'
import type { draftEventShapes } from './shapes.ts'

/** A user's drafts changed; sent to that user. @source Zulip API, "Get events", type "drafts" */
export type DraftsEvent = EventOf<typeof draftEventShapes, 'drafts'>

export function draftAddEvent(drafts: readonly Draft[]): DraftsEvent {
  return { type: 'drafts', op: 'add', drafts: drafts.map(draftJson) }
}

export function draftUpdateEvent(draft: Draft): DraftsEvent {
  return { type: 'drafts', op: 'update', draft: draftJson(draft) }
}

export function draftRemoveEvent(id: number): DraftsEvent {
  return { type: 'drafts', op: 'remove', draft_id: id }
}
