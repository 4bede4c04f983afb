import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { networkList } from '#outgoing/addresses.ts'

/** How a server runs. `readConfig` takes it from the environment; embedding sets it directly. */
export interface Config {
  /** The origin clients reach the server under, without a slash at the end; null: from each request. */
  readonly externalUrl: string | null
  /** Whether the fixture organization's development endpoints exist. */
  readonly fixture: boolean
  readonly rateLimits: boolean
  /** How long a parked poll waits before it gets a heartbeat, in seconds. */
  readonly heartbeatSeconds: number
  /** How long a queue that nobody polls is kept unless its client asks for more, in seconds. */
  readonly queueLifespanSeconds: number
  /** The largest upload, in MiB. */
  readonly maxFileUploadMib: number
  /** Disk space for all uploads together, in MiB; null without a limit. */
  readonly uploadQuotaMib: number | null
  /** Whether the organization may open channels to people without an account. */
  readonly webPublicChannels: boolean
  /** Addresses of the owners whom the operator lets change the addresses of others. */
  readonly emailChangers: readonly string[]
  /**
   * The mail server, as `smtps://user:password@host`; null: no mail is sent. Links in mail begin
   * with `externalUrl`, or else where the server listens: never with what a request says.
   */
  readonly smtpUrl: string | null
  /** Whom mail comes from, as `Name <address>`; null: `noreply` at the server's own host. */
  readonly mailFrom: string | null
  /** How long an invitation works unless whoever makes it says otherwise. */
  readonly invitationMinutes: number
  /** Whether Welcome Bot greets those who join. */
  readonly welcomeMessages: boolean
  /** The service that notifies phones, as `https://id:key@host`; null: phones are not notified. */
  readonly pushServiceUrl: string | null
  /**
   * Networks that outgoing requests may go to besides the public internet, as `10.0.0.0/8` or
   * `127.0.0.1`: the server itself and its neighbours are not for everybody who has a bot.
   */
  readonly allowedNetworks: readonly string[]
  /** Networks of proxies that are believed what `X-Forwarded-For` says, for rate limits. */
  readonly trustedProxies: readonly string[]
  /** Feature level to announce instead of the real one, for tests of clients; null: the real one. */
  readonly announcedFeatureLevel: number | null
  readonly logLevel: string
}

export const defaultConfig: Config = {
  externalUrl: null,
  fixture: false,
  rateLimits: true,
  heartbeatSeconds: 50,
  queueLifespanSeconds: 600,
  maxFileUploadMib: 25,
  uploadQuotaMib: null,
  webPublicChannels: false,
  emailChangers: [],
  smtpUrl: null,
  mailFrom: null,
  invitationMinutes: 14_400,
  welcomeMessages: true,
  pushServiceUrl: null,
  allowedNetworks: [],
  trustedProxies: [],
  announcedFeatureLevel: null,
  logLevel: 'info',
}

/** The environment's part of the configuration. Nothing outside this file reads `process.env`. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  if (env.PARLEY_SMTP_URL && !env.PARLEY_URL) {
    throw new Error('PARLEY_SMTP_URL needs PARLEY_URL, the address that links in mail begin with.')
  }
  return {
    ...defaultConfig,
    externalUrl: env.PARLEY_URL?.replace(/\/+$/, '') ?? null,
    rateLimits: env.PARLEY_RATE_LIMITS !== 'off',
    maxFileUploadMib: mebibytes(env, 'PARLEY_MAX_UPLOAD_MIB') ?? defaultConfig.maxFileUploadMib,
    uploadQuotaMib: mebibytes(env, 'PARLEY_UPLOAD_QUOTA_MIB'),
    webPublicChannels: env.PARLEY_WEB_PUBLIC_CHANNELS === 'on',
    emailChangers: (env.PARLEY_CAN_CHANGE_USER_EMAILS ?? '').split(/[\s,]+/).filter(Boolean),
    smtpUrl: env.PARLEY_SMTP_URL || null,
    mailFrom: env.PARLEY_MAIL_FROM || null,
    invitationMinutes: positive(env.PARLEY_INVITATION_MINUTES) ?? defaultConfig.invitationMinutes,
    welcomeMessages: env.PARLEY_WELCOME_MESSAGES !== 'off',
    pushServiceUrl: env.PARLEY_PUSH_SERVICE?.replace(/\/+$/, '') || null,
    allowedNetworks: networks(env.PARLEY_ALLOWED_NETWORKS ?? ''),
    trustedProxies: networks(env.PARLEY_TRUSTED_PROXIES ?? ''),
    logLevel: env.PARLEY_LOG_LEVEL ?? defaultConfig.logLevel,
  }
}

/** @throws for anything but a positive whole number */
function mebibytes(env: NodeJS.ProcessEnv, name: string): number | null {
  const given = env[name]
  if (!given) return null
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given)
  throw new Error(`${name} must be a number of MiB, not '${given}'.`)
}

/** @throws RangeError for what is no network: better at the start than with the first request */
function networks(source: string): string[] {
  networkList(source)
  return source.split(/[\s,]+/).filter(Boolean)
}

function positive(text: string | undefined): number | undefined {
  const number = Number(text)
  return Number.isInteger(number) && number > 0 ? number : undefined
}

/** How the program starts, where its command line does not say otherwise. */
export interface Launch {
  readonly data: string
  /** As given: the command line checks it like its own. */
  readonly port: string | undefined
  readonly host: string | undefined
  /** The organization to create on an empty data folder; what is missing is undefined. */
  readonly organization: Readonly<
    Record<'organization' | 'email' | 'fullName' | 'password', string | undefined>
  >
}

/** The names of the variables that set up an organization without a browser. */
export const organizationVariables = {
  organization: 'PARLEY_ORG',
  email: 'PARLEY_OWNER_EMAIL',
  fullName: 'PARLEY_OWNER_NAME',
  password: 'PARLEY_OWNER_PASSWORD',
} as const

export function readLaunch(env: NodeJS.ProcessEnv = process.env): Launch {
  return {
    data: env.PARLEY_DATA || 'data',
    port: env.PARLEY_PORT || undefined,
    host: env.PARLEY_HOST || undefined,
    organization: {
      organization: env[organizationVariables.organization] || undefined,
      email: env[organizationVariables.email] || undefined,
      fullName: env[organizationVariables.fullName] || undefined,
      password: env[organizationVariables.password] || undefined,
    },
  }
}

/** Where this user keeps what can be made again: only the built program's SQLite addon so far. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const home = env.HOME && join(env.HOME, '.cache')
  return join(env.XDG_CACHE_HOME || env.LOCALAPPDATA || home || tmpdir(), 'parley')
}
