/** The types of `parley` (the built dist/parley.cjs) for programs that embed the server. */

export interface ServerOptions {
  /** The data folder, created if missing, or `:memory:`. */
  readonly data: string
  /** 0: any free port. */
  readonly port: number
  /** The interface to listen on; default: loopback. */
  readonly host?: string
  /** Creates the development organization and enables its endpoints. */
  readonly fixture?: boolean | FixtureOptions
  /**
   * Whether the development organization answers under other host names than `localhost`, and to
   * web pages of other hosts. Default: neither.
   */
  readonly expose?: boolean
  readonly config?: Config
  /** How it takes requests, where that is not HTTP on the port. */
  readonly listening?: Listening
}

export interface Listening {
  /** Serves HTTPS: with certificate files, which are read again when they change, or by ACME. */
  readonly tls?:
    | { readonly certFile: string; readonly keyFile: string }
    | { readonly domain: string; readonly email: string | undefined; readonly directory: string }
  /** The path of a Unix socket to listen on, instead of the port: for a proxy on this machine. */
  readonly socket?: string
  /** A port that redirects HTTP to `externalUrl`, and answers to the ACME server. */
  readonly redirectPort?: number
}

export interface FixtureOptions {
  /** The number of messages to send; default: none. */
  readonly messages?: number
  /** When everything was created, in milliseconds since the epoch; default: 2026-01-01. */
  readonly time?: number
  /** The time at which the clock stands, in milliseconds since the epoch; default: it goes. */
  readonly clock?: number
  /** The organization to begin with: the contents of a seed file, as the README describes it. */
  readonly seed?: object
}

/** Each like the variable in the README that is named with it. */
export interface Config {
  /**
   * PARLEY_URL: the origin that clients use, without a trailing slash; default: the address that the
   * server listens on.
   */
  readonly externalUrl?: string | null
  /** PARLEY_RATE_LIMITS: default: true, but false in the fixture. */
  readonly rateLimits?: boolean
  /** PARLEY_LIMITS: limits on what accounts can hold or do, by name, where changed. */
  readonly quotas?: Readonly<Record<string, number>>
  /** How long a parked poll waits before the server sends a heartbeat, in seconds; default: 50. */
  readonly heartbeatSeconds?: number
  /** How long a queue stays without polls, in seconds; default: 600. */
  readonly queueLifespanSeconds?: number
  /** PARLEY_MAX_UPLOAD_MIB: the largest upload; default: 25. */
  readonly maxFileUploadMib?: number
  /** PARLEY_UPLOAD_QUOTA_MIB: disk space for all uploads together; default: null, no limit. */
  readonly uploadQuotaMib?: number | null
  /** PARLEY_WEB_PUBLIC_CHANNELS; default: false, but true in the fixture. */
  readonly webPublicChannels?: boolean
  /** PARLEY_CAN_CHANGE_USER_EMAILS: the addresses of owners; default: none. */
  readonly emailChangers?: readonly string[]
  /** PARLEY_SMTP_URL, which needs `externalUrl`; default: null, no mail is sent. */
  readonly smtpUrl?: string | null
  /**
   * Whether the fixture keeps mail and shows it at `/emails/` instead of sending it; default: true. With
   * false and no `smtpUrl`, it has no mail at all.
   */
  readonly keepMail?: boolean
  /** PARLEY_MAIL_FROM; default: null, `noreply` at the server's host. */
  readonly mailFrom?: string | null
  /** PARLEY_MAIL_GATEWAY, which needs `mailListen`; default: null, no mail comes in. */
  readonly mailGateway?: string | null
  /** PARLEY_MAIL_LISTEN: port 0 is any free one; default: null. */
  readonly mailListen?: { readonly host: string; readonly port: number } | null
  /** PARLEY_INVITATION_MINUTES; default: 14400. */
  readonly invitationMinutes?: number
  /** PARLEY_WELCOME_MESSAGES; default: true. */
  readonly welcomeMessages?: boolean
  /** PARLEY_PUSH_SERVICE; default: null. */
  readonly pushServiceUrl?: string | null
  /** PARLEY_OIDC_PROVIDERS: whose accounts people log in with; default: none. */
  readonly identityProviders?: readonly IdentityProvider[]
  /** PARLEY_WEB_PUSH_SERVICES; default: none. */
  readonly webPushServices?: readonly string[]
  /** PARLEY_ALLOWED_NETWORKS; default: none. */
  readonly allowedNetworks?: readonly string[]
  /** PARLEY_EXTERNAL_PICTURES; default: true. */
  readonly externalContent?: boolean
  /** PARLEY_TRUSTED_PROXIES; default: none. */
  readonly trustedProxies?: readonly string[]
  /** The feature level to announce, for testing clients; default: the real one. */
  readonly announcedFeatureLevel?: number | null
  /** PARLEY_SHARED_DATABASE: lets other programs open the database; default: false. */
  readonly sharedDatabase?: boolean
  /** PARLEY_BACKUP_TO and its like; default: null, no regular backups. */
  readonly backups?: BackupPlan | null
  /** PARLEY_BACKUP_BEFORE_UPGRADE; default: true. */
  readonly backupBeforeUpgrade?: boolean
  /** `silent`, `error`, `warn`, `info` (default) or `debug`. Logs are JSON lines on stdout. */
  readonly logLevel?: string
  /** PARLEY_INSPECTION_TOKEN; default: null. */
  readonly inspectionToken?: string | null
  /** PARLEY_LEAST_FREE_MIB; default: 256. */
  readonly leastFreeMib?: number
  /** PARLEY_OWNERS_OPERATE; default: false. */
  readonly ownersOperate?: boolean
}

/** An OpenID Connect provider; the README explains each member. */
export interface IdentityProvider {
  readonly id: string
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | null
  readonly scope: string
  readonly createAccounts: boolean
  readonly trustEmail: boolean
  readonly groupsClaim: string
  readonly allowedGroups: readonly string[]
  readonly groups: Readonly<Record<string, string>>
  readonly roles: Readonly<Record<string, 'admin' | 'moderator' | 'member' | 'guest'>>
}

export interface BackupPlan {
  /** A folder, or `s3://BUCKET/PREFIX`. */
  readonly to: string
  /** The time between two, in hours. */
  readonly hours: number
  /** How many to keep. */
  readonly keep: number
  /** Whether each is one compressed file; on S3 they always are. */
  readonly archives: boolean
  /** Null: `to` is a folder. */
  readonly s3: S3Access | null
}

/** How to reach an S3 service. */
export interface S3Access {
  /** The URL without the bucket. */
  readonly endpoint: string
  readonly region: string
  readonly keyId: string
  readonly secret: string
}

export interface Server {
  /** The scheme, host and port it listens on, or `unix:` and the path of its socket. */
  readonly url: string
  /** The URL at which the first owner sets up the organization; undefined once set up. */
  readonly setupUrl: string | undefined
  /** Handles a request without a socket. */
  fetch(request: Request): Promise<Response>
  /** Answers parked polls, saves the queues and closes the database. */
  close(): Promise<void>
}

/** Starts a server. @throws Error another server uses the data folder, or the port is taken */
export function createServer(options: ServerOptions): Promise<Server>
