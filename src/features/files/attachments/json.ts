import type { Shaped } from '#platform/shape.ts'
import type { Read } from '#platform/store/store.ts'
import { listClaimingMessages } from './claims.queries.ts'
import type { Attachment } from './queries.ts'
import type { attachmentShape } from './shapes.ts'

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
