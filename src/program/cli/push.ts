import { newAccess, register, settingFor } from '#features/notifications/phone-push/registration.ts'
import { readConfig } from '#program/config.ts'
import { requireDatabase } from '#program/control/client.ts'
import type { Setting } from './running.ts'

/** The service that serves the apps in the stores. */
const usualService = 'https://push.zulipchat.com'

interface Options {
  readonly hostname?: string
  readonly contact: string
  readonly service: string
  readonly data?: string
  readonly acceptTerms?: true
}

export function addPush({ program, shell, finish }: Setting): void {
  program
    .command('push')
    .description('manage notifications on phones')
    .command('register')
    .description('register this server with the push service of the phone apps')
    .requiredOption('--contact <address>', 'the email address at which the service can reach you')
    .option('--hostname <name>', 'the host name at which phones reach the server')
    .option('--service <url>', 'another push service', usualService)
    .option('--data <folder>', 'the data folder with the organization to register')
    .option('--accept-terms', "register, and accept the service's terms")
    .action(async (options: Options) => {
      if (options.data !== undefined) requireDatabase(options.data)
      const { externalUrl } = readConfig(shell.env)
      const hostname = options.hostname ?? (externalUrl && new URL(externalUrl).host)
      if (!hostname) {
        const output = 'Set PARLEY_URL, or name the server with --hostname.\n'
        return finish({ output, failed: true })
      }
      const wanted = { service: options.service, hostname, contact: options.contact }
      if (!options.acceptTerms) {
        return finish({ output: explanation(wanted), failed: true })
      }
      finish(await registered(wanted))
    })
}

type PushRegistration = Parameters<typeof register>[1]

async function registered(wanted: PushRegistration) {
  const access = newAccess(wanted.service)
  let refusal: string | undefined
  try {
    refusal = await register(access, wanted)
  } catch (error) {
    const output = `The push service could not be reached: ${(error as Error).message}\n`
    return { output, failed: true }
  }
  if (refusal !== undefined) {
    return { output: `The push service refused the registration: ${refusal}\n`, failed: true }
  }
  const output = [
    `${wanted.hostname} is registered. Add this line to the settings of the server, and restart it.`,
    'It holds the key of the registration, which is not shown again:',
    '',
    settingFor(access),
    '',
  ].join('\n')
  return { output }
}

function explanation({ service, hostname, contact }: PushRegistration): string {
  return `This registers the server with ${service}. Nothing has been sent yet.

The registration sends:
  the name of the server        ${hostname}
  your address                  ${contact}
  a new id and key for the server

Once the server runs with it, it sends:
  at the start and daily        the name, address, kind and age of the organization, how many people
                                have each role, how many bots there are, and the version of the API
  for each phone                its token, and a number for its user
  for each notification         the sender's name and picture, channel and topic, and the beginning of
                                the message, unless the organization keeps them out

The service of the apps in the stores, ${usualService}, belongs to Kandra Labs, and is meant for
Zulip servers. Ask them whether you may use it with this server, and read their terms:
  https://zulip.com/policies/terms

If you accept them, run the command again with --accept-terms.
`
}
