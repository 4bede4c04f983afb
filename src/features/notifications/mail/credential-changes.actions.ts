import type { User } from '#features/people/users/queries.ts'
import type { Config } from '#platform/config.ts'
import type { Tx } from '#platform/store/write.ts'
import { canSendMail, queueNotice } from './actions.ts'
import { type CredentialChange, credentialMail } from './credential-changes.mails.ts'

/** Mails a user that something changed which opens their account, if the server can send mail. */
export function queueCredentialMail(
  tx: Tx,
  { config }: { readonly config: Pick<Config, 'smtpUrl' | 'keepMail'> },
  user: User,
  change: CredentialChange,
): void {
  if (canSendMail(config)) queueNotice(tx, credentialMail(tx, user, change))
}
