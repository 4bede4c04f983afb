import { type Config, defaultConfig } from '#platform/config.ts'
import { networkList } from '#platform/outgoing/addresses.ts'

/** Reads the configuration from environment variables. @throws Error a malformed variable */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
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
    invitationMinutes: positive(env.PARLEY_INVITATION_MINUTES) ?? defaultConfig.invitationMinutes,
    welcomeMessages: env.PARLEY_WELCOME_MESSAGES !== 'off',
    pushServiceUrl: env.PARLEY_PUSH_SERVICE?.replace(/\/+$/, '') || null,
    allowedNetworks: networks(env.PARLEY_ALLOWED_NETWORKS ?? ''),
    externalContent: env.PARLEY_EXTERNAL_PICTURES !== 'off',
    trustedProxies: networks(env.PARLEY_TRUSTED_PROXIES ?? ''),
    sharedDatabase: env.PARLEY_SHARED_DATABASE === 'on',
    logLevel: env.PARLEY_LOG_LEVEL ?? defaultConfig.logLevel,
  }
}

/** @throws Error not a positive integer */
function mebibytes(env: NodeJS.ProcessEnv, name: string): number | null {
  const given = env[name]
  if (!given) return null
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given)
  throw new Error(`${name} must be a number of MiB, not '${given}'.`)
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

/** Checks networks at the start rather than with the first request. @throws RangeError */
function networks(source: string): string[] {
  networkList(source)
  return source.split(/[\s,]+/).filter(Boolean)
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
