import { readFileSync } from 'node:fs'
import { parseProviders } from '#features/identity-providers/provider.ts'
import {
  type BackupPlan,
  type Config,
  defaultConfig,
  type IdentityProvider,
  type S3Access,
} from '#platform/config.ts'
import { networkList } from '#platform/outgoing/addresses.ts'
import { variables } from './variables.ts'

/** The default port and interface of `parley serve`. */
export const defaultPort = '9990'
export const loopback = '127.0.0.1'

/** The environment of this process: the only place that reads it for settings. */
export const environment = (): NodeJS.ProcessEnv => process.env

/** Reads the configuration from environment variables. @throws Error a malformed variable */
export function readConfig(env: NodeJS.ProcessEnv = environment()): Config {
  if (env.PARLEY_SMTP_URL && !env.PARLEY_URL) {
    throw new Error('PARLEY_SMTP_URL needs PARLEY_URL, the address that links in mail begin with.')
  }
  return {
    ...defaultConfig,
    externalUrl: env.PARLEY_URL?.replace(/\/+$/, '') ?? null,
    rateLimits: env.PARLEY_RATE_LIMITS !== 'off',
    quotas: limits(env.PARLEY_LIMITS ?? ''),
    maxFileUploadMib: mebibytes(env, 'PARLEY_MAX_UPLOAD_MIB') ?? defaultConfig.maxFileUploadMib,
    uploadQuotaMib: mebibytes(env, 'PARLEY_UPLOAD_QUOTA_MIB'),
    webPublicChannels: env.PARLEY_WEB_PUBLIC_CHANNELS === 'on',
    emailChangers: (env.PARLEY_CAN_CHANGE_USER_EMAILS ?? '').split(/[\s,]+/).filter(Boolean),
    smtpUrl: env.PARLEY_SMTP_URL || null,
    mailFrom: env.PARLEY_MAIL_FROM || null,
    ...mailIn(env),
    invitationMinutes: positive(env.PARLEY_INVITATION_MINUTES) ?? defaultConfig.invitationMinutes,
    welcomeMessages: env.PARLEY_WELCOME_MESSAGES !== 'off',
    pushServiceUrl: env.PARLEY_PUSH_SERVICE?.replace(/\/+$/, '') || null,
    identityProviders: identityProviders(env.PARLEY_OIDC_PROVIDERS ?? ''),
    webPushServices: origins(env.PARLEY_WEB_PUSH_SERVICES ?? ''),
    allowedNetworks: networks(env.PARLEY_ALLOWED_NETWORKS ?? ''),
    externalContent: env.PARLEY_EXTERNAL_PICTURES !== 'off',
    trustedProxies: networks(env.PARLEY_TRUSTED_PROXIES ?? ''),
    sharedDatabase: env.PARLEY_SHARED_DATABASE === 'on',
    backups: backups(env),
    backupBeforeUpgrade: env.PARLEY_BACKUP_BEFORE_UPGRADE !== 'off',
    ownersOperate: env.PARLEY_OWNERS_OPERATE === 'on',
    inspectionToken: env.PARLEY_INSPECTION_TOKEN || null,
    leastFreeMib: mebibytes(env, 'PARLEY_LEAST_FREE_MIB') ?? defaultConfig.leastFreeMib,
    logLevel: env.PARLEY_LOG_LEVEL ?? defaultConfig.logLevel,
  }
}

/** @throws Error a malformed variable, or one without the other */
function mailIn(env: NodeJS.ProcessEnv): Pick<Config, 'mailGateway' | 'mailListen'> {
  const { PARLEY_MAIL_GATEWAY: gateway, PARLEY_MAIL_LISTEN: listen } = env
  if (!gateway && !listen) return { mailGateway: null, mailListen: null }
  if (!gateway || !listen) {
    throw new Error('PARLEY_MAIL_GATEWAY and PARLEY_MAIL_LISTEN need each other.')
  }
  if (!/^[\w.+-]*%s[\w.+-]*@[a-z0-9.-]+$/i.test(gateway)) {
    throw new Error(`PARLEY_MAIL_GATEWAY must look like %s@mail.example.com, not '${gateway}'.`)
  }
  const [, host = '127.0.0.1', port] = /^(?:\[?([^\]]+)\]?:)?(\d{1,5})$/.exec(listen) ?? []
  if (port === undefined || Number(port) > 65_535) {
    throw new Error(`PARLEY_MAIL_LISTEN must be a port, or a host and a port, not '${listen}'.`)
  }
  return { mailGateway: gateway, mailListen: { host, port: Number(port) } }
}

/** @throws Error not a positive integer */
function mebibytes(env: NodeJS.ProcessEnv, name: string): number | null {
  return count(env, name, 'MiB')
}

/** @throws Error not a positive integer */
function count(env: NodeJS.ProcessEnv, name: string, unit: string): number | null {
  const given = env[name]
  if (!given) return null
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given)
  throw new Error(`${name} must be a number of ${unit}, not '${given}'.`)
}

/** @throws Error a malformed variable, or one for S3 is missing */
function backups(env: NodeJS.ProcessEnv): BackupPlan | null {
  const to = env.PARLEY_BACKUP_TO
  if (!to) return null
  const isS3 = to.startsWith('s3:')
  if (isS3 && !/^s3:\/\/[a-z0-9][a-z0-9.-]+(\/[\w./-]*)?$/.test(to)) {
    throw new Error(`PARLEY_BACKUP_TO must be a folder or s3://BUCKET/PREFIX, not '${to}'.`)
  }
  return {
    to,
    hours: count(env, 'PARLEY_BACKUP_HOURS', 'hours') ?? 24,
    keep: count(env, 'PARLEY_BACKUP_KEEP', 'backups') ?? 7,
    archives: env.PARLEY_BACKUP_ARCHIVES === 'on',
    s3: isS3 ? s3Access(env) : null,
  }
}

function s3Access(env: NodeJS.ProcessEnv): S3Access {
  const region = env.PARLEY_S3_REGION || 'us-east-1'
  const { PARLEY_S3_KEY_ID: keyId, PARLEY_S3_SECRET: secret } = env
  if (!keyId || !secret) {
    throw new Error('Backups to S3 need PARLEY_S3_KEY_ID and PARLEY_S3_SECRET.')
  }
  const endpoint = env.PARLEY_S3_ENDPOINT || `https://s3.${region}.amazonaws.com`
  return { endpoint: endpoint.replace(/\/+$/, ''), region, keyId, secret }
}

/**
 * Limits as `drafts=200 channels_per_hour=50`. The server checks the names when it starts.
 *
 * @throws Error anything else
 */
function limits(source: string): Record<string, number> {
  const given = source.split(/[\s,]+/).filter(Boolean)
  return Object.fromEntries(
    given.map((each) => {
      const [, name, most] = /^([a-z_]+)=(\d{1,12})$/.exec(each) ?? []
      if (name !== undefined) return [name, Number(most)]
      throw new Error(`PARLEY_LIMITS must hold limits such as drafts=200, not '${each}'.`)
    }),
  )
}

/**
 * @param source JSON, or the path of a file with it, which keeps the secrets out of the environment
 * @throws Error an unreadable file, or anything else than a list of providers
 */
function identityProviders(source: string): readonly IdentityProvider[] {
  if (source.trim() === '') return []
  return parseProviders(/^\s*\[/.test(source) ? source : readFileSync(source, 'utf8'))
}

/** Checks networks at the start rather than with the first request. @throws RangeError */
function networks(source: string): string[] {
  networkList(source)
  return source.split(/[\s,]+/).filter(Boolean)
}

/** @throws Error not the origin of a web server */
function origins(source: string): string[] {
  const given = source.split(/[\s,]+/).filter(Boolean)
  return given.map((each) => {
    const url = URL.canParse(each) ? new URL(each) : undefined
    if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin
    throw new Error(`PARLEY_WEB_PUSH_SERVICES must hold origins, not '${each}'.`)
  })
}

function positive(text: string | undefined): number | undefined {
  const number = Number(text)
  return Number.isInteger(number) && number > 0 ? number : undefined
}

/** The defaults for command line options, and the organization to set up. */
export interface Launch {
  readonly data: string
  /** Unchecked: the command line validates it like its own option. */
  readonly port: string | undefined
  readonly host: string | undefined
  /** The value of the variable for an option, such as `tls-cert`. Unchecked. */
  option(name: string): string | undefined
  /** The organization to create on an empty data folder; unset variables are undefined. */
  readonly organization: Readonly<
    Record<'organization' | 'email' | 'fullName' | 'password', string | undefined>
  >
}

/** The environment variables that set up an organization without a browser. */
export const organizationVariables = {
  organization: 'PARLEY_ORG',
  email: 'PARLEY_OWNER_EMAIL',
  fullName: 'PARLEY_OWNER_NAME',
  password: 'PARLEY_OWNER_PASSWORD',
} as const

export function readLaunch(env: NodeJS.ProcessEnv = environment()): Launch {
  return {
    data: env.PARLEY_DATA || 'data',
    port: env.PARLEY_PORT || undefined,
    host: env.PARLEY_HOST || undefined,
    option: (name) => env[variables.find(({ option }) => option === name)?.name ?? ''] || undefined,
    organization: {
      organization: env[organizationVariables.organization] || undefined,
      email: env[organizationVariables.email] || undefined,
      fullName: env[organizationVariables.fullName] || undefined,
      password: env[organizationVariables.password] || undefined,
    },
  }
}
