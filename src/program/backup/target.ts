import { createHash } from 'node:crypto'
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { S3mini } from 's3mini'
import type { BackupPlan, S3Access } from '#platform/config.ts'
import type { SystemContext } from '#platform/context.ts'
import { once } from '#platform/memo.ts'
import type { Task } from '#platform/task.ts'
import { newDraft, removeLeftDrafts } from '#program/drafts.ts'
import { withoutEnd } from '#shared/without-end.ts'
import { type Backup, backUp, sizeOf } from './backup.ts'

/** Where regular backups go. */
export interface BackupTarget {
  /** Makes a verified backup of this name. @returns where it is, its size, and what is missing */
  store(server: SystemContext, name: string, task: Task): Promise<StoredBackup>
  /** The names of the regular backups there. */
  list(): Promise<string[]>
  remove(name: string): Promise<void>
}

export interface StoredBackup extends Pick<Backup, 'missing'> {
  readonly to: string
  /** In bytes; of a folder, without its files. */
  readonly size: number
}

/** The names of regular backups: anything else in the target is left alone. */
const regular = /^parley-\d{8}T\d{6}Z(\.tar\.gz)?$/

/** @param at in milliseconds since the epoch */
export function backupName(at: number, { archives, s3 }: BackupPlan): string {
  const time = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')
  return `parley-${time}${archives || s3 ? '.tar.gz' : ''}`
}

export function targetOf(plan: BackupPlan): BackupTarget {
  return plan.s3 ? bucket(plan.to, plan.s3) : folder(resolve(plan.to))
}

function folder(path: string): BackupTarget {
  return {
    async store(server, name, task) {
      const { missing } = await backUp(server, join(path, name), task)
      return { to: join(path, name), size: await sizeOf(join(path, name)), missing }
    },
    async list() {
      return (await readdir(path)).filter((name) => regular.test(name))
    },
    remove: (name) => rm(join(path, name), { recursive: true }),
  }
}

/** The size of the parts of an upload, in bytes: S3 takes 10 000 parts of at least 5 MiB. */
const partSize = 16 * 1024 * 1024

/** @param to `s3://BUCKET/PREFIX` */
function bucket(to: string, { endpoint, region, keyId, secret }: S3Access): BackupTarget {
  const [, name = '', path = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(to) ?? []
  const prefix = path === '' ? '' : `${withoutEnd(path, '/')}/`
  const client = once(async () => {
    const { S3mini } = await import('s3mini')
    return new S3mini({
      accessKeyId: keyId,
      secretAccessKey: secret,
      endpoint: `${endpoint}/${name}`,
      region,
    })
  })
  return {
    async store(server, file, task) {
      const s3 = await client()
      const database = server.store.db.$client.name
      await removeLeftDrafts(dirname(database))
      const archive = newDraft(database, '.tar.gz')
      try {
        const { missing } = await backUp(server, archive, task)
        const { size } = await stat(archive)
        const sent = await upload(s3, archive, prefix + file, size, task)
        if ((await hashThere(s3, prefix + file)) !== sent) {
          await s3.deleteObject(prefix + file)
          throw new Error('What S3 returned differs from what was sent.')
        }
        return { to: `s3://${name}/${prefix}${file}`, size, missing }
      } finally {
        await rm(archive, { force: true })
      }
    },
    async list() {
      const s3 = await client()
      const found = (await s3.listObjects('/', prefix)) ?? []
      return found.map(({ Key }) => Key.slice(prefix.length)).filter((key) => regular.test(key))
    },
    async remove(file) {
      const s3 = await client()
      await s3.deleteObject(prefix + file)
    },
  }
}

/** Uploads a file in parts. @returns its SHA-256 in hex */
async function upload(
  s3: S3mini,
  path: string,
  key: string,
  size: number,
  { signal, report }: Task,
): Promise<string> {
  const digest = createHash('sha256')
  const id = await s3.getMultipartUploadId(key, 'application/gzip')
  let file: FileHandle | undefined
  try {
    file = await open(path)
    const parts = []
    for (let at = 0; at < size; at += partSize) {
      signal.throwIfAborted()
      report('Uploading', at, size)
      const part = Buffer.alloc(Math.min(partSize, size - at))
      await file.read(part, 0, part.length, at)
      digest.update(part)
      parts.push(await s3.uploadPart(key, id, part, parts.length + 1))
    }
    await s3.completeMultipartUpload(key, id, parts)
    return digest.digest('hex')
  } catch (error) {
    await s3.abortMultipartUpload(key, id).catch(() => {})
    throw error
  } finally {
    await file?.close()
  }
}

async function hashThere(s3: S3mini, key: string): Promise<string | undefined> {
  const response = await s3.getObjectResponse(key)
  if (!response?.body) return undefined
  const digest = createHash('sha256')
  for await (const part of response.body) digest.update(part as Uint8Array)
  return digest.digest('hex')
}
