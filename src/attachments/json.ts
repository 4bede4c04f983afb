import { integer, list, named, noted, object, type Shaped, string } from '#shape.ts'
import type { Read } from '#store/write.ts'
import { listClaimingMessages } from './claim-queries.ts'
import type { Attachment } from './queries.ts'

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

export type AttachmentJson = Shaped<typeof attachmentShape>

export function attachmentJson(read: Read, file: Attachment): AttachmentJson {
  return {
    id: file.id,
    name: file.name,
    path_id: file.pathId,
    size: file.size,
    create_time: file.createdAt * 1000,
    messages: listClaimingMessages(read, file.id).map(({ id, sentAt }) => ({
      id,
      date_sent: sentAt * 1000,
    })),
  }
}
