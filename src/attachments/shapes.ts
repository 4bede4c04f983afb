import { choice, event, integer, list, named, noted, object, string } from '#shape.ts'

const milliseconds = (what: string) => noted(integer, `${what} Milliseconds since the epoch.`)

/** An uploaded file on the wire, as it is at feature level 421. @source the API's "Attachments" */
export const attachmentShape = named('Attachment', {
  id: integer,
  name: string,
  path_id: noted(string, 'What follows `/user_uploads/` in its address.'),
  size: noted(integer, 'In bytes.'),
  create_time: milliseconds('When it was uploaded.'),
  messages: noted(
    list(object({ id: integer, date_sent: milliseconds('When it was sent.') })),
    'The messages that link to it, whoever sent them.',
  ),
})

const spaceUsed = noted(integer, "The size of everybody's files together, in bytes.")

export const attachmentEventShapes = [
  event('AttachmentEvent', 'attachment', {
    op: choice('add', 'update'),
    attachment: attachmentShape,
    upload_space_used: spaceUsed,
  }),
  event('AttachmentRemoveEvent', 'attachment', {
    op: choice('remove'),
    attachment: named('AttachmentId', { id: integer }),
    upload_space_used: spaceUsed,
  }),
]
