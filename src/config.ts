import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
  readonly maxFileUploadMib: number
  /** Whether the organization may open channels to people without an account. */
  readonly webPublicChannels: boolean
  /** Addresses of the owners whom the operator lets change the addresses of others. */
  readonly emailChangers: readonly string[]
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
  webPublicChannels: false,
  emailChangers: [],
  announcedFeatureLevel: null,
  logLevel: 'info',
}

/** The environment's part of the configuration. Nothing outside this file reads `process.env`. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return {
    ...defaultConfig,
    externalUrl: env.PARLEY_URL?.replace(/\/+$/, '') ?? null,
    rateLimits: env.PARLEY_RATE_LIMITS !== 'off',
    webPublicChannels: env.PARLEY_WEB_PUBLIC_CHANNELS === 'on',
    emailChangers: (env.PARLEY_CAN_CHANGE_USER_EMAILS ?? '').split(/[\s,]+/).filter(Boolean),
    logLevel: env.PARLEY_LOG_LEVEL ?? defaultConfig.logLevel,
  }
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
