import { canSendMail } from '#features/foundation/mail/actions.ts'
import { addressQuota, mailQuota } from '#features/foundation/mail/quotas.ts'
import { tryMail } from '#features/foundation/mail/trial.actions.ts'
import { withStore } from '#platform/context.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { spend } from '#platform/quotas/room.ts'
import { sentSentence } from '#translations/translate.ts'
import { requireOperator } from './rules.ts'

/**
 * Sends a mail to the caller's own address, and waits for the mail server's answer.
 *
 * @returns the address
 * @throws BAD_REQUEST no mail server is configured, or it refused the mail, with its reason
 * @throws RATE_LIMIT_HIT; UNAUTHORIZED_PRINCIPAL
 */
export async function sendTestMail({ store, server }: Caller): Promise<string> {
  const address = await store.write((tx, user) => {
    requireOperator(server, user)
    if (!canSendMail(server.config)) throw badRequest(sentSentence('No mail server is configured.'))
    spend(tx, mailQuota, user)
    spend(tx, addressQuota, user.email)
    return user.email
  })
  const problem = await tryMail(withStore(server, store), address)
  if (problem !== undefined)
    throw badRequest(sentSentence('The mail was not sent: {reason}', { reason: problem }))
  return address
}
