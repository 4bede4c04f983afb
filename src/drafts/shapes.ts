import { choice, event, integer, list, named, noted, string, timestamp } from '#shape.ts'

/** @source contract, "Draft" */
export const draftShape = named('Draft', {
  id: integer,
  type: choice('', 'stream', 'private'),
  to: noted(list(integer), "The channel's id, or those of people."),
  topic: string,
  content: string,
  timestamp,
})

export const draftEventShapes = [
  event('DraftsAddEvent', 'drafts', { op: choice('add'), drafts: list(draftShape) }),
  event('DraftsUpdateEvent', 'drafts', { op: choice('update'), draft: draftShape }),
  event('DraftsRemoveEvent', 'drafts', { op: choice('remove'), draft_id: integer }),
]
