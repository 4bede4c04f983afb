import { requireRealm } from '#features/foundation/realm/queries.ts'
import type { SystemContext } from '#platform/context.ts'
import { english } from '#platform/translation/catalogues.ts'
import { deliver, mailTimeout, openTransport, senderOf } from './delivery.actions.ts'
import { composed } from './frame.ts'
import { mailProblem } from './problems.ts'

/**
 * Sends a test mail immediately, and waits for the mail server's answer.
 *
 * @param timeout how long to wait for each answer of the mail server, in milliseconds
 * @returns what is wrong, in plain words; undefined: the mail server accepted the mail
 */
export async function tryMail(
  server: SystemContext,
  address: string,
  timeout = mailTimeout,
): Promise<string | undefined> {
  const { config, log, realmUrl, store } = server
  const { name } = requireRealm(store)
  const transport = await openTransport(server, timeout)
  try {
    // In English, for the operator, like the command line.
    const mail = composed({
      language: english,
      organization: name,
      address,
      subject: `A test email from ${name}`,
      parts: [`${name} (${realmUrl}) can send email: someone who runs the server tested it.`],
    })
    await deliver(server, transport, mail)
    return undefined
  } catch (error) {
    log.warn({ err: error }, 'a test mail was not sent')
    const smtpUrl = config.smtpUrl ?? ''
    return mailProblem(error, {
      smtpUrl,
      address,
      from: senderOf(server),
      timeoutSeconds: timeout / 1000,
    })
  } finally {
    transport?.close()
  }
}
