import { changeOwnSettings } from '#features/access/accounts/own-settings/actions.ts'
import type { UnsubscribeKind } from '#features/foundation/mail/unsubscribe.queries.ts'
import type { Tx } from '#platform/store/store.ts'

/** The setting that turns a kind of mail on. */
const settings = {
  missed_messages: 'enable_offline_email_notifications',
  digest: 'enable_digest_emails',
  login: 'enable_login_emails',
} as const satisfies Readonly<Record<UnsubscribeKind, string>>

/**
 * Ends a kind of mail to someone. They still get mail about messages in channels and followed
 * topics for which they turned it on.
 */
export function unsubscribe(tx: Tx, userId: number, kind: UnsubscribeKind): void {
  changeOwnSettings(tx, userId, { settings: { [settings[kind]]: false } })
}
