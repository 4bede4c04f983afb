import type { Attack } from './attack.ts'
import { connectionAttacks } from './connections.attacks.ts'
import { listAttacks } from './lists.attacks.ts'
import { mailAttacks } from './mail.attacks.ts'
import { messageAttacks } from './messages.attacks.ts'
import { queueAttacks } from './queues.attacks.ts'
import { readingAttacks } from './reading.attacks.ts'
import { storageAttacks } from './storage.attacks.ts'
import { uploadAttacks } from './uploads.attacks.ts'

/** Everything that one account is known to have tried, in the order of the table. */
export const attacks: readonly Attack[] = [
  ...listAttacks,
  ...storageAttacks,
  ...queueAttacks,
  ...messageAttacks,
  ...readingAttacks,
  ...uploadAttacks,
  ...connectionAttacks,
  ...mailAttacks,
]
