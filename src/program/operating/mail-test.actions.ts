import { canSendMail } from '#features/mail/actions.ts'
import { deliver, openTransport } from '#features/mail/delivery.actions.ts'
import { composed } from '#features/mail/frame.ts'
import { addressQuota, mailQuota } from '#features/mail/quotas.ts'
import { requireRealm } from '#features/realm/queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { spend } from '#platform/quotas/room.ts'
import { requireOperator } from './rules.ts'

/** The longest reason that is passed on, in UTF-16 code units. */
const longestReason = 500

/**
 * Sends a mail to the caller's own address, and waits for what the mail server says.
 *
 * @returns the address
 * @throws BAD_REQUEST no mail server is configured, or it did not take the mail, with its reason
 * @throws RATE_LIMIT_HIT; UNAUTHORIZED_PRINCIPAL
 */
export async function sendTestMail({ store, server }: Caller): Promise<string> {
  const { address, name } = await store.write((tx, user) => {
    requireOperator(server, user)
    if (!canSendMail(server.config)) throw badRequest('No mail server is configured.')
    spend(tx, mailQuota, user)
    spend(tx, addressQuota, user.email)
    return { address: user.email, name: requireRealm(tx).name }
  })
  const transport = await openTransport(server)
  try {
    const mail = composed({
      organization: name,
      address,
      subject: `A test mail from ${name}`,
      parts: [`${name} (${server.realmUrl}) can send mail: an owner tried it.`],
    })
    await deliver(server, transport, mail)
  } catch (error) {
    server.log.warn({ err: error }, 'test mail not sent')
    const reason = error instanceof Error ? error.message : String(error)
    throw badRequest(`The mail was not sent: ${reason.slice(0, longestReason)}`)
  } finally {
    transport?.close()
  }
  return address
}
