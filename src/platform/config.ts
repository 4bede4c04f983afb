/** How to reach an S3 service. */
export interface S3Access {
  /** The URL without the bucket. */
  readonly endpoint: string
  readonly region: string
  readonly keyId: string
  readonly secret: string
}

/** Regular backups. */
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

/** An OpenID Connect provider, with whose accounts people log in. */
export interface IdentityProvider {
  /** Its name in paths: lower-case letters, digits and hyphens. */
  readonly id: string
  /** What its button is called. */
  readonly name: string
  /** The URL under which it describes itself, and that its tokens name. */
  readonly issuer: string
  readonly clientId: string
  /** Null: it knows this server without a secret. */
  readonly clientSecret: string | null
  /** What to ask for, separated by blanks. */
  readonly scope: string
  /** Whether people without an account get one when they log in, if they may join. */
  readonly createAccounts: boolean
  /** Whether to take its addresses for verified although it does not say so. */
  readonly trustEmail: boolean
  /** The claim that lists somebody's groups. */
  readonly groupsClaim: string
  /** The groups whose members may log in; empty: everybody may. */
  readonly allowedGroups: readonly string[]
  /** The user group here for a group there. */
  readonly groups: Readonly<Record<string, string>>
  /** The role here for a group there; others of its people are members. Empty: roles stay. */
  readonly roles: Readonly<Record<string, 'admin' | 'moderator' | 'member' | 'guest'>>
}

/** A server's configuration, read from the environment or passed in when embedding. */
export interface Config {
  /**
   * The origin clients use, without a trailing slash; null: the address that the server listens on,
   * never the `Host` of a request (see `originOf`).
   */
  readonly externalUrl: string | null
  /** Whether to offer the development endpoints of the fixture organization. */
  readonly fixture: boolean
  /**
   * Whether to refuse requests under other host names than `localhost`, and from web pages of other
   * hosts: for the fixture organization, whose keys everybody knows.
   */
  readonly localOnly: boolean
  /** Whether requests come through a Unix socket, that is, from a proxy on this machine. */
  readonly behindSocket: boolean
  readonly rateLimits: boolean
  /** Limits on what accounts and the organization can hold or do, by name, where changed. */
  readonly quotas: Readonly<Record<string, number>>
  /** How long a parked poll waits before the server sends a heartbeat, in seconds. */
  readonly heartbeatSeconds: number
  /** How long a queue stays without polls, unless its client asked for longer; in seconds. */
  readonly queueLifespanSeconds: number
  /** The largest upload, in MiB. */
  readonly maxFileUploadMib: number
  /** Disk space for all uploads together, in MiB; null: no limit. */
  readonly uploadQuotaMib: number | null
  /** Whether the organization may make channels public on the web, readable without an account. */
  readonly webPublicChannels: boolean
  /** Email addresses of the owners who may change other users' email addresses. */
  readonly emailChangers: readonly string[]
  /**
   * The mail server, as `smtps://user:password@host`; null: no mail is sent. Links in mail start
   * with `externalUrl`, or else with the address the server listens on; never with a request's
   * host.
   */
  readonly smtpUrl: string | null
  /**
   * Whether to keep mail in memory and show it at `/emails/` instead of sending it: only for the
   * fixture organization, which otherwise does.
   */
  readonly keepMail: boolean
  /** The sender of mail, as `Name <address>`; null: `noreply` at the server's own host. */
  readonly mailFrom: string | null
  /** Addresses that mail comes in by, with `%s` for what names each; null: no mail comes in. */
  readonly mailGateway: string | null
  /** Where the server listens for that mail, by SMTP. */
  readonly mailListen: { readonly host: string; readonly port: number } | null
  /** How long an invitation is valid by default. */
  readonly invitationMinutes: number
  /** Whether Welcome Bot greets new users. */
  readonly welcomeMessages: boolean
  /** The push service for phones, as `https://id:key@host`; null: phones are not notified. */
  readonly pushServiceUrl: string | null
  /** Whose accounts people can log in with, besides those that `parley sso add` stored. */
  readonly identityProviders: readonly IdentityProvider[]
  /**
   * Origins of push services that browsers and other devices may name, besides all at `https:` on the
   * standard port; such as `https://ntfy.example.com:8443`.
   */
  readonly webPushServices: readonly string[]
  /**
   * Networks besides the public internet that outgoing requests may reach, as `10.0.0.0/8` or
   * `127.0.0.1`. By default bots must not reach the server itself or its local network.
   */
  readonly allowedNetworks: readonly string[]
  /** Whether to fetch pictures that messages link to, and show them to readers. */
  readonly externalContent: boolean
  /** Networks of proxies whose `X-Forwarded-For` header is trusted, for rate limits. */
  readonly trustedProxies: readonly string[]
  /** The feature level to announce, for testing clients; null: the real one. */
  readonly announcedFeatureLevel: number | null
  /**
   * Whether other processes may open the database while the server runs, as Litestream does to
   * replicate it.
   */
  readonly sharedDatabase: boolean
  /** Null: no regular backups. */
  readonly backups: BackupPlan | null
  /** Whether to make a backup before the database is migrated. */
  readonly backupBeforeUpgrade: boolean
  /** Whether owners may operate the server from the browser: backups, health, storage, mail. */
  readonly ownersOperate: boolean
  readonly logLevel: string
  /** Opens the details of `/health`; null: nobody but this machine sees them. */
  readonly inspectionToken: string | null
  /** The least room on the disk of the data folder, in MiB, before `/health` warns. */
  readonly leastFreeMib: number
}

export const defaultConfig: Config = {
  externalUrl: null,
  fixture: false,
  localOnly: false,
  behindSocket: false,
  rateLimits: true,
  quotas: {},
  heartbeatSeconds: 50,
  queueLifespanSeconds: 600,
  maxFileUploadMib: 25,
  uploadQuotaMib: null,
  webPublicChannels: false,
  emailChangers: [],
  smtpUrl: null,
  keepMail: false,
  mailFrom: null,
  mailGateway: null,
  mailListen: null,
  invitationMinutes: 14_400,
  welcomeMessages: true,
  pushServiceUrl: null,
  identityProviders: [],
  webPushServices: [],
  allowedNetworks: [],
  externalContent: true,
  trustedProxies: [],
  announcedFeatureLevel: null,
  sharedDatabase: false,
  backups: null,
  backupBeforeUpgrade: true,
  ownersOperate: false,
  logLevel: 'info',
  inspectionToken: null,
  leastFreeMib: 256,
}
