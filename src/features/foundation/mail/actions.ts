import { seconds } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import type { Account } from '#platform/quotas/quota.ts'
import { hasRoom, spend } from '#platform/quotas/room.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import type { Mail } from './frame.ts'
import { insertMail } from './queries.ts'
import { addressQuota, mailQuota, noticeQuota } from './quotas.ts'

/** Whether mail is sent, or kept as if it were. */
export function canSendMail({ smtpUrl, keepMail }: Pick<Config, 'smtpUrl' | 'keepMail'>): boolean {
  return smtpUrl !== null || keepMail
}

/** Whether the address may get another mail. `queueMail` also checks the account. */
export function canMail(read: Read, address: string): boolean {
  return hasRoom(read, addressQuota, address)
}

/**
 * Queues a mail to an address that a user entered.
 *
 * @param by the account that causes it; null: a visitor without one
 * @throws RATE_LIMIT_HIT too much mail by the account, or to the address
 */
export function queueMail(tx: Tx, by: Account | null, mail: Mail): void {
  if (by) spend(tx, mailQuota, by)
  spend(tx, addressQuota, mail.address)
  queue(tx, mail)
}

/** Queues a mail about an account to its own address, unless that got too many lately. */
export function queueNotice(tx: Tx, mail: Mail): void {
  if (!hasRoom(tx, noticeQuota, mail.address)) return
  spend(tx, noticeQuota, mail.address)
  queue(tx, mail)
}

/**
 * Queues a mail that an account requested to its own address, and that something other than a quota
 * limits.
 */
export function queueWanted(tx: Tx, mail: Mail): void {
  queue(tx, mail)
}

/** The mail goes out after the commit, with retries while the mail server is unreachable. */
function queue(tx: Tx, mail: Mail): void {
  insertMail(tx, { ...mail, dueAt: seconds(tx.clock) })
  wakeJobs(tx)
}
