import { canSendMail } from '#features/foundation/mail/actions.ts'
import type { Read } from '#platform/store/store.ts'
import type { NotificationMedium } from './decision.ts'
import { hasPushDevices } from './pushes.queries.ts'

/** Whether the server can notify by this medium; if not, nothing is decided or stored for it. */
export function isMediumAvailable(read: Read, medium: NotificationMedium): boolean {
  return medium === 'email' ? canSendMail(read.config) : hasPushDevices(read)
}

/** Whether the server can notify anyone who is not looking. */
export function canNotify(read: Read): boolean {
  return isMediumAvailable(read, 'email') || isMediumAvailable(read, 'push')
}
