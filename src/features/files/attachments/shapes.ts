import * as shape from '#platform/shape.ts'

const milliseconds = (what: string) =>
  shape.noted(shape.integer, `${what} Milliseconds since the epoch.`)

/**
 * An uploaded file on the wire.
 *
 * @source Zulip API, "Get attachments" (feature level 421)
 */
export const attachmentShape = shape.named('Attachment', {
  id: shape.integer,
  name: shape.string,
  path_id: shape.noted(shape.string, 'The part of its URL after `/user_uploads/`.'),
  size: shape.noted(shape.integer, 'In bytes.'),
  create_time: milliseconds('When it was uploaded.'),
  messages: shape.noted(
    shape.list(shape.object({ id: shape.integer, date_sent: milliseconds('When it was sent.') })),
    'The messages that link to the file, by any sender.',
  ),
})

const spaceUsed = shape.noted(shape.integer, "The total size of all users' uploads, in bytes.")

export const attachmentEventShapes = [
  shape.event('AttachmentEvent', 'attachment', {
    op: shape.choice('add', 'update'),
    attachment: attachmentShape,
    upload_space_used: spaceUsed,
  }),
  shape.event('AttachmentRemoveEvent', 'attachment', {
    op: shape.choice('remove'),
    attachment: shape.named('AttachmentId', { id: shape.integer }),
    upload_space_used: spaceUsed,
  }),
]
