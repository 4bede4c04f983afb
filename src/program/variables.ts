/** A setting of the server, as operators know it. */
export interface Variable {
  /** The name of the environment variable, and in the file of settings. */
  readonly name: `PARLEY_${string}`
  /** What it means: one sentence. */
  readonly meaning: string
  /** What holds if it is not set, in words if it is not a value. */
  readonly default: string
  /** The option of `parley serve` that overrides it. */
  readonly option?: string
  /** Whether to hide the value, or only the password in a URL. */
  readonly secret?: 'all' | 'password'
}

/**
 * All settings. `config.ts` reads them; the README documents each.
 */
export const variables: readonly Variable[] = [
  { name: 'PARLEY_DATA', meaning: 'The data folder.', default: 'data', option: 'data' },
  { name: 'PARLEY_PORT', meaning: 'The port to listen on.', default: '9990', option: 'port' },
  {
    name: 'PARLEY_HOST',
    meaning: 'The interface to listen on.',
    default: '127.0.0.1',
    option: 'host',
  },
  {
    name: 'PARLEY_DOMAIN',
    meaning: 'The domain to obtain a certificate for.',
    default: 'none: HTTP',
    option: 'domain',
  },
  {
    name: 'PARLEY_ACME_EMAIL',
    meaning: 'Where the ACME server may write to.',
    default: 'none',
    option: 'acme-email',
  },
  {
    name: 'PARLEY_ACME_DIRECTORY',
    meaning: 'The ACME server.',
    default: "Let's Encrypt",
    option: 'acme-directory',
  },
  {
    name: 'PARLEY_TLS_CERT',
    meaning: 'The file of the certificate chain.',
    default: 'none',
    option: 'tls-cert',
  },
  {
    name: 'PARLEY_TLS_KEY',
    meaning: 'The file of the key of the certificate.',
    default: 'none',
    option: 'tls-key',
  },
  {
    name: 'PARLEY_HTTP_PORT',
    meaning: 'The port that redirects HTTP to HTTPS.',
    default: '80 with a domain',
    option: 'http-port',
  },
  {
    name: 'PARLEY_SOCKET',
    meaning: 'The Unix socket to listen on instead of a port.',
    default: 'none',
    option: 'socket',
  },
  {
    name: 'PARLEY_URL',
    meaning: 'The URL that clients use.',
    default: 'the address that the server listens on',
  },
  {
    name: 'PARLEY_ORG',
    meaning: 'The organization to set up at the first start.',
    default: 'none',
  },
  { name: 'PARLEY_OWNER_NAME', meaning: 'The name of its owner.', default: 'none' },
  { name: 'PARLEY_OWNER_EMAIL', meaning: 'The email address of its owner.', default: 'none' },
  {
    name: 'PARLEY_OWNER_PASSWORD',
    meaning: 'The password of its owner.',
    default: 'none',
    secret: 'all',
  },
  { name: 'PARLEY_RATE_LIMITS', meaning: '"off" disables rate limits.', default: 'on' },
  { name: 'PARLEY_LIMITS', meaning: 'Limits that differ from the defaults.', default: 'none' },
  {
    name: 'PARLEY_WEB_PUBLIC_CHANNELS',
    meaning: '"on" lets owners make channels readable without an account.',
    default: 'off',
  },
  {
    name: 'PARLEY_CAN_CHANGE_USER_EMAILS',
    meaning: "Owners who may change other users' email addresses.",
    default: 'nobody',
  },
  {
    name: 'PARLEY_MAX_UPLOAD_MIB',
    meaning: 'The largest size of an uploaded file, in MiB.',
    default: '25',
  },
  {
    name: 'PARLEY_UPLOAD_QUOTA_MIB',
    meaning: 'The largest size of all uploaded files together, in MiB.',
    default: 'no limit',
  },
  {
    name: 'PARLEY_SMTP_URL',
    meaning: 'The mail server.',
    default: 'none: no mail is sent',
    secret: 'password',
  },
  {
    name: 'PARLEY_MAIL_FROM',
    meaning: 'The sender of mail.',
    default: "noreply at the server's host",
  },
  {
    name: 'PARLEY_MAIL_GATEWAY',
    meaning: 'Addresses by which mail comes in, with %s for what names each.',
    default: 'none: no mail comes in',
  },
  {
    name: 'PARLEY_MAIL_LISTEN',
    meaning: 'The port, or host and port, to listen on for that mail by SMTP.',
    default: 'none',
  },
  {
    name: 'PARLEY_INVITATION_MINUTES',
    meaning: 'How long invitations are valid, in minutes.',
    default: '14400',
  },
  {
    name: 'PARLEY_WELCOME_MESSAGES',
    meaning: '"off" disables Welcome Bot\'s messages to new users.',
    default: 'on',
  },
  {
    name: 'PARLEY_ALLOWED_NETWORKS',
    meaning: 'Networks that outgoing requests may reach besides the public internet.',
    default: 'none',
  },
  {
    name: 'PARLEY_EXTERNAL_PICTURES',
    meaning: '"off" disables pictures from other sites.',
    default: 'on',
  },
  {
    name: 'PARLEY_TRUSTED_PROXIES',
    meaning: 'Networks of the reverse proxies in front of the server.',
    default: 'none',
  },
  {
    name: 'PARLEY_PUSH_SERVICE',
    meaning: 'The service that notifies phones with the apps, with its id and key.',
    default: 'none',
    secret: 'password',
  },
  {
    name: 'PARLEY_OIDC_PROVIDERS',
    meaning: 'The OpenID Connect providers to log in with: JSON, or the path of a file with it.',
    default: 'none',
    secret: 'all',
  },
  {
    name: 'PARLEY_WEB_PUSH_SERVICES',
    meaning: 'Origins of Web Push services besides all at https on the standard port.',
    default: 'none',
  },
  {
    name: 'PARLEY_BACKUP_TO',
    meaning: 'Where backups are made regularly: a folder, or s3://BUCKET/PREFIX.',
    default: 'none: no regular backups',
  },
  {
    name: 'PARLEY_BACKUP_HOURS',
    meaning: 'The time between two regular backups, in hours.',
    default: '24',
  },
  { name: 'PARLEY_BACKUP_KEEP', meaning: 'How many regular backups are kept.', default: '7' },
  {
    name: 'PARLEY_BACKUP_ARCHIVES',
    meaning: '"on" makes each regular backup one compressed file, as on S3.',
    default: 'off',
  },
  {
    name: 'PARLEY_BACKUP_BEFORE_UPGRADE',
    meaning: '"off" starts a new version without a backup before it migrates the database.',
    default: 'on',
  },
  {
    name: 'PARLEY_S3_ENDPOINT',
    meaning: 'The URL of the S3 service, without the bucket.',
    default: 'https://s3.REGION.amazonaws.com',
  },
  { name: 'PARLEY_S3_REGION', meaning: 'The region of the S3 service.', default: 'us-east-1' },
  { name: 'PARLEY_S3_KEY_ID', meaning: 'The ID of the key for S3.', default: 'none' },
  {
    name: 'PARLEY_S3_SECRET',
    meaning: 'The secret of the key for S3.',
    default: 'none',
    secret: 'all',
  },
  {
    name: 'PARLEY_SHARED_DATABASE',
    meaning: '"on" lets other programs such as Litestream open the database.',
    default: 'off',
  },
  {
    name: 'PARLEY_INSPECTION_TOKEN',
    meaning: 'The token that shows the health and the metrics of the server.',
    default: 'none: only to requests from this machine',
    secret: 'all',
  },
  {
    name: 'PARLEY_OWNERS_OPERATE',
    meaning:
      '"on" lets owners make and download backups, and see health and storage, in the browser.',
    default: 'off',
  },
  {
    name: 'PARLEY_LEAST_FREE_MIB',
    meaning: 'The room on the disk below which the server is not healthy, in MiB.',
    default: '256',
  },
  {
    name: 'PARLEY_LOG_LEVEL',
    meaning: 'The least important level to log: error, warn, info, debug or silent.',
    default: 'info',
  },
]
