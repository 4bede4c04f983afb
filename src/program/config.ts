import { InvalidSetting } from '#platform/config/invalid-setting.ts'
import { readerOf } from '#platform/config/variable.ts'
import { configVariables } from '#platform/config/variables.ts'
import { type Config, makeConfig } from '#platform/config.ts'
import { launchVariables, logFile, organizationVariables, variables } from './variables.ts'

/** The URL that clients use of a server with a certificate for a domain. */
export function domainUrl(domain: string, port: number | string): string {
  return `https://${domain}${Number(port) === 443 ? '' : `:${port}`}`
}

/** The environment of this process: the only place that reads it for settings. */
export const environment = (): NodeJS.ProcessEnv => process.env

/** Reads the configuration from environment variables. @throws InvalidSetting a malformed variable */
export function readConfig(env: NodeJS.ProcessEnv = environment()): Config {
  const { externalUrl, smtpUrl, mailGateway, mailListen } = configVariables
  if (env[smtpUrl.name] && !env[externalUrl.name]) {
    const needed = `${externalUrl.name}, the address that links in mail begin with`
    throw new InvalidSetting(`${smtpUrl.name} needs ${needed}.`)
  }
  if (!env[mailGateway.name] !== !env[mailListen.name]) {
    throw new InvalidSetting(`${mailGateway.name} and ${mailListen.name} need each other.`)
  }
  const read = readerOf(env)
  return makeConfig((declared) => {
    if ('parts' in declared) return declared.from(read)
    return 'kind' in declared ? read<unknown>(declared) : declared.default
  })
}

/** The defaults for command line options, and the organization to set up. */
export interface Launch {
  readonly data: string
  /** Unchecked: the command line validates it like its own option. */
  readonly port: string | undefined
  readonly host: string | undefined
  /** Undefined: standard error. */
  readonly logFile: string | undefined
  /** The value of the variable for an option, such as `tls-cert`. Unchecked. */
  option(name: string): string | undefined
  /** The organization to create on an empty data folder; unset variables are undefined. */
  readonly organization: Readonly<Record<keyof typeof organizationVariables, string | undefined>>
}

export function readLaunch(env: NodeJS.ProcessEnv = environment()): Launch {
  const read = readerOf(env)
  const { organization, email, fullName, password } = organizationVariables
  return {
    data: read(launchVariables.data),
    port: read(launchVariables.port),
    host: read(launchVariables.host),
    logFile: read(logFile),
    option: (name) => env[variables.find(({ option }) => option === name)?.name ?? ''] || undefined,
    organization: {
      organization: read(organization),
      email: read(email),
      fullName: read(fullName),
      password: read(password),
    },
  }
}
