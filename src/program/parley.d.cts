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
  /** Whether to begin with the conversations of a small team, before `messages`; default: false. */
  readonly conversations?: boolean
  /** When everything was created, in milliseconds since the epoch; default: 2026-01-01. */
  readonly time?: number
  /** The time at which the clock stands, in milliseconds since the epoch; default: it goes. */
  readonly clock?: number
  /** Whether members see placeholders for each other's email addresses; default: false. */
  readonly hideAddresses?: boolean
  /** The organization to begin with: the contents of a seed file, as the README describes it. */
  readonly seed?: object
}

/** Each has the meaning of the variable that it names; "on" is true here, and "off" false. */
export interface Config {
  /**
   * PARLEY_URL: The URL that clients use. Default: null, the address that the server listens
   * on.
   */
  readonly externalUrl?: string | null
  /** PARLEY_RATE_LIMITS: "off" disables rate limits. False in the fixture. Default: true. */
  readonly rateLimits?: boolean
  /** PARLEY_LIMITS: Limits that differ from the defaults. Default: {}. */
  readonly quotas?: Readonly<Record<string, number>>
  /** How long a parked poll waits before the server sends a heartbeat, in seconds. Default: 50. */
  readonly heartbeatSeconds?: number
  /**
   * How long a queue is kept without polls unless its client asked for longer, in seconds.
   * Default: 600.
   */
  readonly queueLifespanSeconds?: number
  /**
   * PARLEY_WEB_PUBLIC_CHANNELS: "on" lets owners make channels readable without an account.
   * True in the fixture. Default: false.
   */
  readonly webPublicChannels?: boolean
  /**
   * PARLEY_CAN_CHANGE_USER_EMAILS: Email addresses of the owners who may change other users'
   * email addresses. Default: [], nobody.
   */
  readonly emailChangers?: readonly string[]
  /** PARLEY_MAX_UPLOAD_MIB: The largest size of an uploaded file, in MiB. Default: 25. */
  readonly maxFileUploadMib?: number
  /**
   * PARLEY_UPLOAD_QUOTA_MIB: The largest size of all uploaded files together, in MiB. Default:
   * null, no limit.
   */
  readonly uploadQuotaMib?: number | null
  /** PARLEY_SMTP_URL: The mail server. Needs `externalUrl`. Default: null, no mail is sent. */
  readonly smtpUrl?: string | null
  /**
   * Whether the fixture keeps mail and shows it at `/emails/` instead of sending it. True in
   * the fixture; with false and no `smtpUrl`, it has no mail at all. Default: false.
   */
  readonly keepMail?: boolean
  /** PARLEY_MAIL_FROM: The sender of mail. Default: null, noreply@ the server's host. */
  readonly mailFrom?: string | null
  /**
   * PARLEY_MAIL_GATEWAY: The pattern of addresses for incoming mail, with %s in place of the
   * part that names each. Needs `mailListen`. Default: null, no incoming mail.
   */
  readonly mailGateway?: string | null
  /**
   * PARLEY_MAIL_LISTEN: The port, or host and port, on which to receive that mail by SMTP. Port
   * 0 picks a free one. Default: null.
   */
  readonly mailListen?: { readonly host: string; readonly port: number } | null
  /** PARLEY_INVITATION_MINUTES: How long invitations are valid, in minutes. Default: 14400. */
  readonly invitationMinutes?: number
  /** PARLEY_WELCOME_MESSAGES: "off" disables Welcome Bot's messages to new users. Default: true. */
  readonly welcomeMessages?: boolean
  /**
   * PARLEY_ALLOWED_NETWORKS: Networks that outgoing requests may reach besides the public
   * internet. Default: [].
   */
  readonly allowedNetworks?: readonly string[]
  /** PARLEY_EXTERNAL_PICTURES: "off" disables images from other sites. Default: true. */
  readonly externalContent?: boolean
  /** PARLEY_LINK_PREVIEWS: "off" disables previews of linked web pages. Default: true. */
  readonly linkPreviews?: boolean
  /**
   * PARLEY_BIGBLUEBUTTON: The BigBlueButton server for calls, with its secret as the password.
   * Default: null, not offered.
   */
  readonly bigBlueButtonUrl?: string | null
  /**
   * PARLEY_NEXTCLOUD: The Nextcloud with Talk for calls, with a user and an app password.
   * Default: null, not offered.
   */
  readonly nextcloudUrl?: string | null
  /**
   * PARLEY_CONSTRUCTOR_GROUPS: The API of Constructor Groups for calls, with an access key and
   * its secret key. Default: null, it cannot be chosen.
   */
  readonly constructorGroupsUrl?: string | null
  /**
   * PARLEY_ZOOM: Zoom for calls, with the client ID and the client secret of an app. Default:
   * null, it cannot be chosen.
   */
  readonly zoomUrl?: string | null
  /**
   * PARLEY_ZOOM_ACCOUNT: The account ID of a Zoom app of the type Server-to-Server OAuth. Needs
   * `zoomUrl`. Default: null, everyone connects their own Zoom account.
   */
  readonly zoomAccount?: string | null
  /**
   * PARLEY_ZOOM_SECRET: The secret token of the Zoom app, with which Parley checks notices from
   * Zoom. Needs `zoomUrl`. Default: null, notices from Zoom are refused.
   */
  readonly zoomSecret?: string | null
  /** PARLEY_ZOOM_API: The address of Zoom's API. Default: 'https://api.zoom.us/v2'. */
  readonly zoomApiUrl?: string
  /**
   * PARLEY_GIFS: The API of GIPHY, KLIPY or Tenor to search for GIFs, with your key. Default:
   * null, there is no search for GIFs.
   */
  readonly gifsUrl?: string | null
  /**
   * PARLEY_TRUSTED_PROXIES: Networks of the reverse proxies in front of the server. Default:
   * [].
   */
  readonly trustedProxies?: readonly string[]
  /**
   * PARLEY_PUSH_SERVICE: The service that notifies phones with the apps, with its id and key.
   * Default: null.
   */
  readonly pushServiceUrl?: string | null
  /**
   * PARLEY_OIDC_PROVIDERS: The OpenID Connect providers to log in with: JSON, or the path of a
   * file with it. Default: [].
   */
  readonly identityProviders?: readonly IdentityProvider[]
  /**
   * PARLEY_WEB_PUSH_SERVICES: Origins of further Web Push services; all that use https on the
   * standard port are allowed. Default: [].
   */
  readonly webPushServices?: readonly string[]
  /**
   * The feature level to announce, for testing clients. Null announces the real one. Default:
   * null.
   */
  readonly announcedFeatureLevel?: number | null
  /**
   * Regular backups. As with PARLEY_BACKUP_TO, PARLEY_BACKUP_HOURS, PARLEY_BACKUP_KEEP,
   * PARLEY_BACKUP_ARCHIVES, PARLEY_S3_ENDPOINT, PARLEY_S3_REGION, PARLEY_S3_KEY_ID,
   * PARLEY_S3_SECRET. Default: null.
   */
  readonly backups?: BackupPlan | null
  /**
   * PARLEY_BACKUP_BEFORE_UPGRADE: "off" lets a new version migrate the database without making
   * a backup first. Default: true.
   */
  readonly backupBeforeUpgrade?: boolean
  /**
   * PARLEY_RELEASES_URL: The URL of the list of releases, which is read once a day to find
   * newer versions. Default: null, no check for newer versions.
   */
  readonly releasesUrl?: string | null
  /**
   * PARLEY_SHARED_DATABASE: "on" lets other programs such as Litestream open the database.
   * Default: false.
   */
  readonly sharedDatabase?: boolean
  /**
   * PARLEY_INSPECTION_TOKEN: The token that shows the health and the metrics of the server.
   * Default: null, only requests from this machine are answered.
   */
  readonly inspectionToken?: string | null
  /**
   * PARLEY_OWNERS_OPERATE: "on" lets owners make and download backups, and see health and
   * storage, in the browser. Default: false.
   */
  readonly ownersOperate?: boolean
  /**
   * PARLEY_LEAST_FREE_MIB: The free disk space, in MiB, below which the server counts as
   * unhealthy. Default: 256.
   */
  readonly leastFreeMib?: number
  /**
   * PARLEY_LOG_LEVEL: The least important level to log: error, warn, info, debug or silent. An
   * embedded server logs lines of JSON on standard output. Default: 'warn'.
   */
  readonly logLevel?: string
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
  /** The time between two backups, in hours. */
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
