import type { VariantEvent } from '#platform/events/types.ts'
import type { EventOf } from '#platform/shape.ts'
import type { Read } from '#platform/store/store.ts'
import { attachmentJson } from './json.ts'
import { type Attachment, uploadSpaceUsed } from './queries.ts'
import type { attachmentEventShapes } from './shapes.ts'

/**
 * A user's uploads, or the messages that link to them, changed; sent to the user's own clients.
 * `upload_space_used` is in bytes and counts the uploads of all users.
 *
 * @source Zulip API, "Get events", type "attachment"
 */
export type AttachmentEvent = EventOf<typeof attachmentEventShapes, 'attachment'>

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
