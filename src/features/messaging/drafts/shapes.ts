import * as shape from '#platform/shape.ts'

/** @source Zulip API, "Get drafts" */
export const draftShape = shape.named('Draft', {
  id: shape.integer,
  type: shape.choice('', 'stream', 'private'),
  to: shape.noted(shape.list(shape.integer), 'The ID of the channel, or the IDs of the users.'),
  topic: shape.string,
  content: shape.string,
  timestamp: shape.timestamp,
})

export const draftEventShapes = [
  shape.event('DraftsAddEvent', 'drafts', {
    op: shape.choice('add'),
    drafts: shape.list(draftShape),
  }),
  shape.event('DraftsUpdateEvent', 'drafts', { op: shape.choice('update'), draft: draftShape }),
  shape.event('DraftsRemoveEvent', 'drafts', {
    op: shape.choice('remove'),
    draft_id: shape.integer,
  }),
]
