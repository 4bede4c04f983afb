import { InvalidSetting } from './invalid-setting.ts'
import { apiAddress, backupTarget, count, flag, region as regionKind, token } from './kinds.ts'
import { combined, type Reader, variable } from './variable.ts'

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
  /** The time between two backups, in hours. */
  readonly hours: number
  /** How many to keep. */
  readonly keep: number
  /** Whether each is one compressed file; on S3 they always are. */
  readonly archives: boolean
  /** Null: `to` is a folder. */
  readonly s3: S3Access | null
}

const target = variable<string | null>({
  name: 'PARLEY_BACKUP_TO',
  meaning: 'Where to make regular backups: a folder, or s3://BUCKET/PREFIX.',
  help: 'See [regular backups](#regular-backups).',
  default: null,
  unset: 'no regular backups',
  kind: backupTarget,
})

const hours = variable({
  name: 'PARLEY_BACKUP_HOURS',
  meaning: 'The time between two regular backups, in hours.',
  default: 24,
  kind: count('hours'),
})

const keep = variable({
  name: 'PARLEY_BACKUP_KEEP',
  meaning: 'How many regular backups to keep.',
  default: 7,
  kind: count('backups'),
})

const archives = variable({
  name: 'PARLEY_BACKUP_ARCHIVES',
  meaning: '"on" makes each regular backup one compressed file, as on S3.',
  default: false,
  kind: flag,
})

const endpoint = variable<string | null>({
  name: 'PARLEY_S3_ENDPOINT',
  meaning: 'The URL of the S3 service, without the bucket.',
  default: null,
  unset: 'https://s3.REGION.amazonaws.com',
  kind: apiAddress,
})

const region = variable({
  name: 'PARLEY_S3_REGION',
  meaning: 'The region of the S3 service.',
  default: 'us-east-1',
  kind: regionKind,
})

const keyId = variable<string | null>({
  name: 'PARLEY_S3_KEY_ID',
  meaning: 'The ID of the key for S3.',
  help: 'The key must be allowed to list, read, write and delete objects.',
  default: null,
  kind: token,
})

const secret = variable<string | null>({
  name: 'PARLEY_S3_SECRET',
  meaning: 'The secret of the key for S3.',
  default: null,
  kind: token,
  secret: 'all',
})

function s3Access(read: Reader): S3Access {
  const access = { keyId: read(keyId), secret: read(secret) }
  if (access.keyId === null || access.secret === null) {
    throw new InvalidSetting(
      target.name,
      `${target.name} on S3 needs ${keyId.name} and ${secret.name}.`,
    )
  }
  return {
    endpoint: read(endpoint) ?? `https://s3.${read(region)}.amazonaws.com`,
    region: read(region),
    keyId: access.keyId,
    secret: access.secret,
  }
}

/** The plan of regular backups; without the target, none of its variables has an effect. */
export const backups = combined<BackupPlan | null>({
  meaning: 'Regular backups.',
  default: null,
  type: 'BackupPlan | null',
  parts: [target, hours, keep, archives, endpoint, region, keyId, secret],
  from(read) {
    const to = read(target)
    if (to === null) return null
    return {
      to,
      hours: read(hours),
      keep: read(keep),
      archives: read(archives),
      s3: to.startsWith('s3:') ? s3Access(read) : null,
    }
  },
})
