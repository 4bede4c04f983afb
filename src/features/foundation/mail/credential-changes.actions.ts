import type { User } from '#features/foundation/users/queries.ts'
import type { Tx } from '#platform/store/store.ts'
import { canSendMail, queueNotice } from './actions.ts'
import { type CredentialChange, credentialMail } from './credential-changes.mails.ts'

/** Mails a user about a change of their credentials, if the server can send mail. */
export function queueCredentialMail(tx: Tx, user: User, change: CredentialChange): void {
  if (canSendMail(tx.config)) queueNotice(tx, credentialMail(tx, user, change))
}
