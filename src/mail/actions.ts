import { seconds } from '#clock.ts'
import type { Config } from '#config.ts'
import { wakeJobs } from '#jobs/wake.ts'
import type { Tx } from '#store/write.ts'
import { insertMail } from './queries.ts'

export interface Mail {
  /** The address alone, without a name. */
  readonly address: string
  readonly subject: string
  /** Plain text. */
  readonly body: string
}

/** Whether this server can send mail at all. */
export function canSendMail({ smtpUrl }: Pick<Config, 'smtpUrl'>): boolean {
  return smtpUrl !== null
}

/** Has a mail sent once the write is committed, also if the mail server is away for a while. */
export function queueMail(tx: Tx, mail: Mail): void {
  insertMail(tx, { ...mail, dueAt: seconds(tx.clock) })
  wakeJobs(tx)
}
