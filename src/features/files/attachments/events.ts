import type { VariantEvent } from '#platform/events/types.ts'
import type { Read } from '#platform/store/store.ts'
import { type AttachmentJson, attachmentJson } from './json.ts'
import { type Attachment, uploadSpaceUsed } from './queries.ts'

/**
 * A user's uploads, or the messages that link to them, changed; sent to the user's own clients.
 * `upload_space_used` is in bytes and counts the uploads of all users.
 *
 * @source Zulip API, "Get events", type "attachment"
 */
export type AttachmentEvent =
  | {
      type: 'attachment'
      op: 'add' | 'update'
      attachment: AttachmentJson
      upload_space_used: number
    }
  | { type: 'attachment'; op: 'remove'; attachment: { id: number }; upload_space_used: number }

/** Built only for queues that receive it, because thousands of messages may link to one file. */
export function attachmentEvent(read: Read, op: 'add' | 'update', file: Attachment): VariantEvent {
  return {
    type: 'attachment',
    variant: () => op,
    build: (): AttachmentEvent => ({
      type: 'attachment',
      op,
      attachment: attachmentJson(read, file),
      upload_space_used: uploadSpaceUsed(read),
    }),
  }
}

export function attachmentRemoveEvent(read: Read, { id }: Attachment): AttachmentEvent {
  const upload_space_used = uploadSpaceUsed(read)
  return { type: 'attachment', op: 'remove', attachment: { id }, upload_space_used }
}
