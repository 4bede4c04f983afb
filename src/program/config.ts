import { InvalidSetting } from '#platform/config/invalid-setting.ts'
import { readerOf } from '#platform/config/variable.ts'
import { configVariables } from '#platform/config/variables.ts'
import { type Config, makeConfig } from '#platform/config.ts'
import { quotas as allQuotas } from './features.ts'
import { launchVariables, logFile, organizationVariables } from './variables.ts'

/** The URL that clients use of a server with a certificate for a domain. */
export function domainUrl(domain: string, port: number | string): string {
  return `https://${domain}${Number(port) === 443 ? '' : `:${port}`}`
}

/** The environment of this process: the only place that reads it for settings. */
export const environment = (): NodeJS.ProcessEnv => process.env

/** Reads the configuration from environment variables. @throws InvalidSetting a malformed variable */
export function readConfig(env: NodeJS.ProcessEnv = environment()): Config {
  const read = readerOf(env)
  const config = makeConfig((declared) => {
    if ('parts' in declared) {
      // Also those that have no effect: a wrong one is a mistake.
      for (const part of declared.parts) read(part)
      return declared.from(read)
    }
    return 'kind' in declared ? read<unknown>(declared) : declared.default
  })
  requireKnownLimits(config.quotas)
  const { externalUrl, smtpUrl, mailGateway, mailListen } = configVariables
  if (config.smtpUrl !== null && config.externalUrl === null) {
    const needed = `${externalUrl.name}, the address that links in mail begin with`
    throw new InvalidSetting(smtpUrl.name, `${smtpUrl.name} needs ${needed}.`)
  }
  if ((config.mailGateway === null) !== (config.mailListen === null)) {
    const both = `${mailGateway.name} and ${mailListen.name}`
    throw new InvalidSetting(mailGateway.name, `${both} need each other.`)
  }
  return config
}

/** @throws InvalidSetting an unknown limit */
export function requireKnownLimits(changed: Config['quotas']): void {
  const names = allQuotas.map(({ name }) => name)
  const unknown = Object.keys(changed).find((name) => !names.includes(name))
  if (unknown === undefined) return
  const { name } = configVariables.quotas
  const known = names.sort().join(', ')
  throw new InvalidSetting(
    name,
    `${name}: There is no limit '${unknown}'. The limits are: ${known}.`,
  )
}

/** What variables say about the launch, for commands without options for it. */
export interface Launch {
  readonly port: number | undefined
  readonly domain: string | undefined
}

/** @throws InvalidSetting a malformed variable */
export function readLaunch(env: NodeJS.ProcessEnv = environment()): Launch {
  const read = readerOf(env)
  return { port: read(launchVariables.port), domain: read(launchVariables.domain) }
}

/** The path of the log file; undefined: standard error. @throws InvalidSetting malformed */
export const readLogFile = (env: NodeJS.ProcessEnv = environment()): string | undefined =>
  readerOf(env)(logFile)

/** Whether the operator has chosen what is logged. */
export const choosesLogLevel = (env: NodeJS.ProcessEnv = environment()): boolean =>
  Boolean(env[configVariables.logLevel.name])

/**
 * The organization to create on an empty data folder; unset variables are undefined.
 *
 * @throws InvalidSetting a malformed variable
 */
export function readOrganization(
  env: NodeJS.ProcessEnv = environment(),
): Readonly<Record<keyof typeof organizationVariables, string | undefined>> {
  const read = readerOf(env)
  const { organization, email, fullName, password } = organizationVariables
  return {
    organization: read(organization),
    email: read(email),
    fullName: read(fullName),
    password: read(password),
  }
}
