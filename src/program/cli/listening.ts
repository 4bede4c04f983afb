import type { Command } from 'commander'
import { defaultAcmeDirectory, type Listening, type Tls } from '#program/listening/options.ts'
import { launchVariables } from '#program/variables.ts'
import { WrongSetting } from './problems.ts'
import { settingOption } from './setting-options.ts'

/** The options that say how `parley serve` takes requests. */
export interface ListeningOptions {
  readonly domain?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly httpPort?: number
  readonly socket?: string
  readonly acmeEmail?: string
  readonly acmeDirectory?: string
}

export function addListeningOptions(command: Command): Command {
  const add = (flags: string, description: string) =>
    command.addOption(settingOption(flags, description))
  add('--domain <name>', 'serve HTTPS, with a certificate obtained by ACME')
  add('--acme-email <address>', 'the email address for notices from the ACME server')
  add('--acme-directory <url>', "the ACME server; default: Let's Encrypt")
  add('--tls-cert <file>', 'serve HTTPS with this certificate chain')
  add('--tls-key <file>', 'the private key of the certificate')
  add('--socket <path>', 'listen on a Unix socket instead of a port')
  return add('--http-port <number>', 'redirect HTTP from this port to HTTPS')
}

/** @throws WrongSetting options that do not go together */
export function readListening(options: ListeningOptions): Listening {
  const { domain, socket } = options
  const tls = readTls(options)
  if (tls && socket !== undefined) {
    throw new WrongSetting('A Unix socket is for a proxy, which serves HTTPS itself.')
  }
  const redirectPort = options.httpPort ?? (domain === undefined ? undefined : 80)
  if (redirectPort !== undefined && !tls) {
    throw new WrongSetting(
      `${named('httpPort')} needs HTTPS: ${named('domain')}, or ${named('tlsCert')} and ${named('tlsKey')}.`,
    )
  }
  return {
    ...(tls && { tls }),
    ...(socket !== undefined && { socket }),
    ...(redirectPort !== undefined && { redirectPort }),
  }
}

function readTls(options: ListeningOptions): Tls | undefined {
  const { domain, tlsCert: certFile, tlsKey: keyFile } = options
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new WrongSetting(`${named('tlsCert')} and ${named('tlsKey')} need each other.`)
  }
  if (domain === undefined) {
    return certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined
  }
  if (certFile !== undefined) {
    throw new WrongSetting(`Use either ${named('domain')} or ${named('tlsCert')}.`)
  }
  return {
    domain,
    email: options.acmeEmail,
    directory: options.acmeDirectory ?? defaultAcmeDirectory,
  }
}

/** Both names of a setting, as the message cannot know which was used. */
function named(setting: keyof typeof launchVariables): string {
  const { name, option } = launchVariables[setting]
  return `--${option} (${name})`
}
