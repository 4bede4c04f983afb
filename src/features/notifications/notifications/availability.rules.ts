import { canSendMail } from '#features/notifications/mail/actions.ts'
import type { Read } from '#platform/store/write.ts'
import type { Way } from './decision.ts'
import { hasPushDevices } from './pushes.queries.ts'

/** Whether the server can notify in this way; if not, nothing is decided or stored for it. */
export function isOpen(read: Read, way: Way): boolean {
  return way === 'email' ? canSendMail(read.config) : hasPushDevices(read)
}

/** Whether the server can notify anybody who is not looking. */
export function canNotify(read: Read): boolean {
  return isOpen(read, 'email') || isOpen(read, 'push')
}
