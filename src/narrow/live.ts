import type { QueueRequest } from '#events/queues.ts'
import type { Read } from '#store/write.ts'

export function narrowMatcher(_read: Read, _request: QueueRequest): (message: unknown) => boolean {
  return () => true
}
