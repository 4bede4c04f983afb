import { backups } from './backups.ts'
import type { IdentityProvider } from './identity-provider.ts'
import * as kind from './kinds.ts'
import { fixed, variable } from './variable.ts'

/**
 * Everything in `Config`, declared once. Its type, its defaults, the variables, `parley config`,
 * the table in the help and the types for embedding programs are made from this.
 */
export const configVariables = {
  /**
   * The origin clients use, without a trailing slash; null: the address that the server listens on,
   * never the `Host` of a request (see `originOf`).
   */
  externalUrl: variable<string | null>({
    name: 'PARLEY_URL',
    meaning: 'The URL that clients use.',
    help: 'Example: `https://chat.example.com`.',
    default: null,
    unset: 'the address that the server listens on',
    kind: kind.origin,
  }),
  /** Whether to offer the development endpoints of the fixture organization. */
  fixture: fixed({ default: false, meaning: 'Whether this server runs in fixture mode.' }),
  /**
   * Whether to refuse requests under other host names than `localhost`, and from web pages of other
   * hosts: for the fixture organization, whose keys everyone knows.
   */
  localOnly: fixed({ default: false, meaning: 'Whether only this machine may connect.' }),
  /** Whether requests come through a Unix socket, that is, from a proxy on this machine. */
  behindSocket: fixed({ default: false, meaning: 'Whether it listens on a Unix socket.' }),
  rateLimits: variable({
    name: 'PARLEY_RATE_LIMITS',
    meaning: '"off" disables rate limits.',
    help: 'It also disables the [limits](#limits) per hour and day, except those on mail.',
    note: 'False in the fixture.',
    default: true,
    kind: kind.flag,
  }),
  /** Limits that differ from their defaults, by name. */
  quotas: variable<Readonly<Record<string, number>>>({
    name: 'PARLEY_LIMITS',
    meaning: 'Limits that differ from the defaults.',
    help: 'Example: `drafts=200 channels_per_hour=50`. See [limits](#limits).',
    default: {},
    kind: kind.limits,
  }),
  heartbeatSeconds: fixed({
    default: 50,
    meaning: 'How long a parked poll waits before the server sends a heartbeat, in seconds.',
    type: 'number',
  }),
  queueLifespanSeconds: fixed({
    default: 600,
    meaning:
      'How long a queue is kept without polls unless its client asked for longer, in seconds.',
    type: 'number',
  }),
  /** Whether the organization may make channels public on the web, readable without an account. */
  webPublicChannels: variable({
    name: 'PARLEY_WEB_PUBLIC_CHANNELS',
    meaning: '"on" lets owners make channels readable without an account.',
    help: 'See [privacy](#privacy).',
    note: 'True in the fixture.',
    default: false,
    kind: kind.flag,
  }),
  /** Email addresses of the owners who may change other users' email addresses. */
  emailChangers: variable<readonly string[]>({
    name: 'PARLEY_CAN_CHANGE_USER_EMAILS',
    meaning: "Email addresses of the owners who may change other users' email addresses.",
    default: [],
    unset: 'nobody',
    kind: kind.emailAddresses,
  }),
  maxFileUploadMib: variable({
    name: 'PARLEY_MAX_UPLOAD_MIB',
    meaning: 'The largest size of an uploaded file, in MiB.',
    default: 25,
    kind: kind.count('MiB'),
  }),
  uploadQuotaMib: variable<number | null>({
    name: 'PARLEY_UPLOAD_QUOTA_MIB',
    meaning: 'The largest size of all uploaded files together, in MiB.',
    default: null,
    unset: 'no limit',
    kind: kind.count('MiB'),
  }),
  /**
   * Null: no mail is sent. Links in mail start with `externalUrl`, or else with the address the
   * server listens on; never with a request's host.
   */
  smtpUrl: variable<string | null>({
    name: 'PARLEY_SMTP_URL',
    meaning: 'The mail server.',
    help: 'Example: `smtps://user:password@mail.example.com`. Requires `PARLEY_URL`.',
    note: 'Needs `externalUrl`.',
    default: null,
    unset: 'no mail is sent',
    kind: kind.mailServer,
    secret: 'password',
  }),
  keepMail: fixed({
    default: false,
    meaning:
      'Whether the fixture keeps mail and shows it at `/emails/` instead of sending it. True in the fixture; with false and no `smtpUrl`, it has no mail at all.',
    type: 'boolean',
  }),
  /** As `Name <address>`. */
  mailFrom: variable<string | null>({
    name: 'PARLEY_MAIL_FROM',
    meaning: 'The sender of mail.',
    help: 'Example: `Our chat <chat@example.com>`. `parley mail test ADDRESS` tries it.',
    default: null,
    unset: "noreply@ the server's host",
    kind: kind.mailbox,
  }),
  mailGateway: variable<string | null>({
    name: 'PARLEY_MAIL_GATEWAY',
    meaning:
      'The pattern of addresses for incoming mail, with %s in place of the part that names each.',
    help: 'Example: `%s@chat.example.com`. See [mail that comes in](#mail-that-comes-in).',
    note: 'Needs `mailListen`.',
    default: null,
    unset: 'no incoming mail',
    kind: kind.gateway,
  }),
  mailListen: variable<{ readonly host: string; readonly port: number } | null>({
    name: 'PARLEY_MAIL_LISTEN',
    meaning: 'The port, or host and port, on which to receive that mail by SMTP.',
    help: 'Examples: `2525` (on 127.0.0.1), `10.0.0.5:25`.',
    note: 'Port 0 picks a free one.',
    default: null,
    kind: kind.listenAddress,
  }),
  invitationMinutes: variable({
    name: 'PARLEY_INVITATION_MINUTES',
    meaning: 'How long invitations are valid, in minutes.',
    help: 'People who invite others can choose another time.',
    default: 14_400,
    kind: kind.count('minutes'),
  }),
  welcomeMessages: variable({
    name: 'PARLEY_WELCOME_MESSAGES',
    meaning: '"off" disables Welcome Bot\'s messages to new users.',
    default: true,
    kind: kind.flag,
  }),
  /** By default bots must not reach the server itself or its local network. */
  allowedNetworks: variable<readonly string[]>({
    name: 'PARLEY_ALLOWED_NETWORKS',
    meaning: 'Networks that outgoing requests may reach besides the public internet.',
    help: 'Outgoing requests are those of webhooks and of [push notifications](#notifications-on-devices), and those to servers for calls. Example: `10.1.0.0/16 127.0.0.1`.',
    default: [],
    kind: kind.networks,
  }),
  /** Whether to fetch pictures that messages link to, and show them to readers. */
  externalContent: variable({
    name: 'PARLEY_EXTERNAL_PICTURES',
    meaning: '"off" disables images from other sites.',
    help: 'See [privacy](#privacy).',
    default: true,
    kind: kind.flag,
  }),
  /** Whether organizations may turn on previews of the pages that messages link to. */
  linkPreviews: variable({
    name: 'PARLEY_LINK_PREVIEWS',
    meaning: '"off" disables previews of linked web pages.',
    help: 'See [privacy](#privacy).',
    default: true,
    kind: kind.flag,
  }),
  /** As `https://:SECRET@host/bigbluebutton`; null: no calls there. */
  bigBlueButtonUrl: variable<string | null>({
    name: 'PARLEY_BIGBLUEBUTTON',
    meaning: 'The BigBlueButton server for calls, with its secret as the password.',
    help: '`bbb-conf --secret` prints both. Example: `https://:SECRET@bbb.example.com/bigbluebutton`. Then administrators can choose it in the organization settings.',
    default: null,
    unset: 'not offered',
    kind: kind.addressWithPassword,
    secret: 'password',
  }),
  /** As `https://user:password@host`; null: no calls there. */
  nextcloudUrl: variable<string | null>({
    name: 'PARLEY_NEXTCLOUD',
    meaning: 'The Nextcloud with Talk for calls, with a user and an app password.',
    help: 'Example: `https://parley:APP-PASSWORD@cloud.example.com`. The user owns the rooms. Then administrators can choose it in the organization settings.',
    default: null,
    unset: 'not offered',
    kind: kind.addressWithPassword,
    secret: 'password',
  }),
  /** As `https://access-key:secret-key@host/path`; null: no calls there. */
  constructorGroupsUrl: variable<string | null>({
    name: 'PARLEY_CONSTRUCTOR_GROUPS',
    meaning: 'The API of Constructor Groups for calls, with an access key and its secret key.',
    help: 'Example: `https://ACCESS-KEY:SECRET-KEY@example.constructor.app/api/groups/xapi`. See [Constructor Groups](#constructor-groups).',
    default: null,
    unset: 'it cannot be chosen',
    kind: kind.addressWithPassword,
    secret: 'password',
  }),
  /** As `https://client-id:client-secret@zoom.us`; null: no calls there. */
  zoomUrl: variable<string | null>({
    name: 'PARLEY_ZOOM',
    meaning: 'Zoom for calls, with the client ID and the client secret of an app.',
    help: 'Example: `https://CLIENT-ID:CLIENT-SECRET@zoom.us`. See [Zoom](#zoom).',
    default: null,
    unset: 'it cannot be chosen',
    kind: kind.addressWithPassword,
    secret: 'password',
  }),
  zoomAccount: variable<string | null>({
    name: 'PARLEY_ZOOM_ACCOUNT',
    meaning: 'The account ID of a Zoom app of the type Server-to-Server OAuth.',
    help: 'Not set for a General App. See [Zoom](#zoom).',
    note: 'Needs `zoomUrl`.',
    default: null,
    unset: 'everyone connects their own Zoom account',
    kind: kind.token,
  }),
  zoomSecret: variable<string | null>({
    name: 'PARLEY_ZOOM_SECRET',
    meaning: 'The secret token of the Zoom app, with which Parley checks notices from Zoom.',
    help: 'For a General App. See [Zoom](#zoom).',
    note: 'Needs `zoomUrl`.',
    default: null,
    unset: 'notices from Zoom are refused',
    kind: kind.token,
    secret: 'all',
  }),
  zoomApiUrl: variable({
    name: 'PARLEY_ZOOM_API',
    meaning: "The address of Zoom's API.",
    help: 'Only for accounts elsewhere than at zoom.us, such as `https://api.zoomgov.com/v2`.',
    default: 'https://api.zoom.us/v2',
    kind: kind.apiAddress,
  }),
  /** As `https://provider:key@host/path`; null: no GIFs. */
  gifsUrl: variable<string | null>({
    name: 'PARLEY_GIFS',
    meaning: 'The API of GIPHY, KLIPY or Tenor to search for GIFs, with your key.',
    help: 'Example: `https://giphy:KEY@api.giphy.com/v1/gifs`. See [GIFs](#gifs).',
    default: null,
    unset: 'there is no search for GIFs',
    kind: kind.gifs,
    secret: 'password',
  }),
  trustedProxies: variable<readonly string[]>({
    name: 'PARLEY_TRUSTED_PROXIES',
    meaning: 'Networks of the reverse proxies in front of the server.',
    help: 'Example: `127.0.0.1`. Rate limits use their `X-Forwarded-For` header to tell clients apart.',
    default: [],
    kind: kind.networks,
  }),
  /** As `https://id:key@host`; null: phones are not notified. */
  pushServiceUrl: variable<string | null>({
    name: 'PARLEY_PUSH_SERVICE',
    meaning: 'The service that notifies phones with the apps, with its id and key.',
    help: '`parley push register` prints it, such as `https://ID:KEY@push.zulipchat.com`. See [phones with the apps](#phones-with-the-apps).',
    default: null,
    kind: kind.addressWithPassword,
    secret: 'password',
  }),
  /** In addition to the providers that `parley sso add` stored. */
  identityProviders: variable<readonly IdentityProvider[]>({
    name: 'PARLEY_OIDC_PROVIDERS',
    meaning: 'The OpenID Connect providers to log in with: JSON, or the path of a file with it.',
    help: 'See [accounts elsewhere](#accounts-elsewhere).',
    default: [],
    kind: kind.identityProviders,
    secret: 'all',
  }),
  webPushServices: variable<readonly string[]>({
    name: 'PARLEY_WEB_PUSH_SERVICES',
    meaning:
      'Origins of further Web Push services; all that use https on the standard port are allowed.',
    help: 'Example: `https://ntfy.example.com:8443`. See [notifications](#notifications-on-devices).',
    default: [],
    kind: kind.origins,
  }),
  announcedFeatureLevel: fixed<number | null>({
    default: null,
    meaning: 'The feature level to announce, for testing clients. Null announces the real one.',
    type: 'number | null',
  }),
  backups,
  /** Whether to make a backup before the database is migrated. */
  backupBeforeUpgrade: variable({
    name: 'PARLEY_BACKUP_BEFORE_UPGRADE',
    meaning: '"off" lets a new version migrate the database without making a backup first.',
    help: 'See [upgrading](#upgrading).',
    default: true,
    kind: kind.flag,
  }),
  /** Null: no check for newer versions. */
  releasesUrl: variable<string | null>({
    name: 'PARLEY_RELEASES_URL',
    meaning: 'The URL of the list of releases, which is read once a day to find newer versions.',
    help: 'See [upgrading](#upgrading).',
    default: null,
    unset: 'no check for newer versions',
    kind: kind.webAddress,
  }),
  /** Litestream needs this to replicate the database. */
  sharedDatabase: variable({
    name: 'PARLEY_SHARED_DATABASE',
    meaning: '"on" lets other programs such as Litestream open the database.',
    help: 'See [Litestream](#litestream).',
    default: false,
    kind: kind.flag,
  }),
  inspectionToken: variable<string | null>({
    name: 'PARLEY_INSPECTION_TOKEN',
    meaning: 'The token that shows the health and the metrics of the server.',
    help: 'Requests to [`/health`](#health) and [`/metrics`](#metrics) send it as `Authorization: Bearer`.',
    default: null,
    unset: 'only requests from this machine are answered',
    kind: kind.token,
    secret: 'all',
  }),
  ownersOperate: variable({
    name: 'PARLEY_OWNERS_OPERATE',
    meaning:
      '"on" lets owners make and download backups, and see health and storage, in the browser.',
    help: 'See [in the browser](#in-the-browser).',
    default: false,
    kind: kind.flag,
  }),
  leastFreeMib: variable({
    name: 'PARLEY_LEAST_FREE_MIB',
    meaning: 'The free disk space, in MiB, below which the server counts as unhealthy.',
    help: '[`/health`](#health) then warns.',
    default: 256,
    kind: kind.count('MiB'),
  }),
  logLevel: variable({
    name: 'PARLEY_LOG_LEVEL',
    meaning: 'The least important level to log: error, warn, info, debug or silent.',
    help: 'The log goes to standard error: text on a terminal, otherwise lines of JSON. A terminal shows requests that succeed only if this is set. Lines that cannot be written, because the disk is full or nothing reads the pipe, are dropped; a later line says how many.',
    note: 'An embedded server logs lines of JSON on standard output.',
    default: 'info',
    embedded: 'warn',
    kind: kind.choice('error', 'warn', 'info', 'debug', 'silent'),
  }),
}
