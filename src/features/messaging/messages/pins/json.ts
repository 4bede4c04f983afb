import type { pinShape } from '#features/messaging/messages/shapes.ts'
import type { Shaped } from '#platform/shape.ts'
import type { Pin } from './queries.ts'

export type PinJson = Shaped<typeof pinShape>

export function pinJson({ messageId, userId, pinnedAt }: Pin): PinJson {
  return { message_id: messageId, user_id: userId, timestamp: pinnedAt }
}
