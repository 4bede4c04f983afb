import { type Command, Option } from 'commander'
import type { Launch } from '#program/config.ts'
import { defaultAcmeDirectory, type Listening, type Tls } from '#program/listening/options.ts'
import { portNumber, UsageError } from './options.ts'

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

/** @param launch holds the defaults */
export function addListeningOptions(command: Command, launch: Launch): Command {
  const add = (flags: string, description: string) => {
    const option = new Option(flags, description)
    command.addOption(option.default(launch.option(option.name())))
  }
  add('--domain <name>', 'serve HTTPS, with a certificate obtained by ACME')
  add('--acme-email <address>', 'the email address for notices from the ACME server')
  add('--acme-directory <url>', "the ACME server; default: Let's Encrypt")
  add('--tls-cert <file>', 'serve HTTPS with this certificate chain')
  add('--tls-key <file>', 'the private key of the certificate')
  add('--socket <path>', 'listen on a Unix socket instead of a port')
  const httpPort = new Option('--http-port <number>', 'redirect HTTP from this port to HTTPS')
  const port = launch.option(httpPort.name())
  return command.addOption(
    httpPort.argParser(portNumber).default(port ? portNumber(port) : undefined),
  )
}

/** @throws UsageError options that do not go together */
export function readListening(options: ListeningOptions): Listening {
  const { domain, socket } = options
  const tls = readTls(options)
  if (tls && socket !== undefined) {
    throw new UsageError('A Unix socket is for a proxy, which serves HTTPS itself.')
  }
  const redirectPort = options.httpPort ?? (domain === undefined ? undefined : 80)
  if (redirectPort !== undefined && !tls) {
    throw new UsageError('--http-port needs HTTPS: --domain, or --tls-cert and --tls-key.')
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
    throw new UsageError('--tls-cert and --tls-key go together.')
  }
  if (domain === undefined) {
    return certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined
  }
  if (certFile !== undefined) throw new UsageError('Use either --domain or --tls-cert.')
  if (!/^(?!-)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/i.test(domain) || /^[\d.]+$/.test(domain)) {
    throw new UsageError(`'${domain}' is not a domain such as chat.example.com.`)
  }
  return {
    domain: domain.toLowerCase(),
    email: options.acmeEmail,
    directory: options.acmeDirectory ?? defaultAcmeDirectory,
  }
}
