import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import Database from 'better-sqlite3'
import * as v from 'valibot'
import type { Reading } from '#features/organization/imports/source.ts'
import { badRequest } from '#platform/errors.ts'
import { loadAddon } from '#platform/store/addon.ts'
import { sentence } from '#translations/translate.ts'

/*
 * The tables of Campfire, as far as they are read. Times are UTC, as text.
 *
 * @source basecamp/once-campfire, db/schema.rb
 */

const id = v.pipe(v.number(), v.integer())
const text = v.fallback(v.nullable(v.string()), null)

const schemas = {
  accounts: v.object({ id, name: text }),
  users: v.object({
    id,
    name: text,
    email_address: text,
    bio: text,
    role: v.number(),
    // Before November 2025 there was `active` in its place.
    status: v.optional(v.unknown()),
    active: v.optional(v.unknown()),
    // Versions by others have this.
    suspended_at: v.optional(v.unknown()),
    created_at: text,
  }),
  rooms: v.object({ id, name: text, type: v.string(), creator_id: id, created_at: text }),
  memberships: v.object({ room_id: id, user_id: id, involvement: text, unread_at: text }),
  messages: v.object({
    id,
    room_id: id,
    creator_id: id,
    created_at: text,
    client_message_id: text,
  }),
  bodies: v.object({ record_id: id, body: text }),
  orphans: v.object({ record_id: v.unknown() }),
  files: v.object({
    id,
    record_type: v.string(),
    record_id: id,
    name: v.string(),
    key: v.string(),
    filename: v.string(),
    content_type: text,
    byte_size: v.number(),
  }),
  boosts: v.object({
    id,
    message_id: id,
    booster_id: id,
    content: v.string(),
    created_at: v.optional(text),
  }),
} as const
type Schemas = typeof schemas
export type Row<N extends keyof Schemas> = v.InferOutput<Schemas[N]>

const tables = ['accounts', 'users', 'rooms', 'memberships', 'messages', 'boosts']
const ofRails = ['action_text_rich_texts', 'active_storage_attachments', 'active_storage_blobs']

const files = `SELECT a.id, a.record_type, a.record_id, a.name, b.key, b.filename, b.content_type, b.byte_size
  FROM active_storage_attachments a JOIN active_storage_blobs b ON b.id = a.blob_id`

const statements = {
  accounts: 'SELECT * FROM accounts ORDER BY id LIMIT 1',
  users: 'SELECT * FROM users ORDER BY id',
  rooms: 'SELECT * FROM rooms ORDER BY id',
  memberships: 'SELECT * FROM memberships ORDER BY id',
  messages: 'SELECT * FROM messages ORDER BY id',
  bodies: `SELECT record_id, body FROM action_text_rich_texts
    WHERE record_type = 'Message' AND name = 'body' AND record_id = ?`,
  orphans: `SELECT record_id FROM action_text_rich_texts
    WHERE record_type IS NOT 'Message' OR name IS NOT 'body' OR record_id IS NULL
      OR record_id NOT IN (SELECT id FROM messages)`,
  files: `${files} WHERE a.record_type = ? AND a.record_id = ? ORDER BY a.id`,
  boosts: 'SELECT * FROM boosts WHERE message_id = ? ORDER BY id',
} as const

/** What versions by others mark as deleted, and keep. */
const markable: ReadonlySet<string> = new Set(['rooms', 'memberships', 'messages', 'boosts'])

/** Whether a row is deleted, or not known to be there still. */
const isRemoved = (name: string, row: object) =>
  markable.has(name) && 'active' in row && row.active !== 1

/** Gets rows that are not to be imported, by an example, and why. */
export type Bad = (example: string, reason: 'bad-value' | 'removed') => void

/** The database of an export, which nobody changes. */
export interface CampfireDatabase {
  /** Rows one by one; invalid and deleted ones are reported to `bad`. */
  rows<N extends keyof Schemas>(name: N, bad: Bad, ...of: unknown[]): Generator<Row<N>>
  close(): void
}

/**
 * Opens a copy of the database: it is untrusted, so only plain tables are read, and nothing in it
 * runs.
 *
 * @throws BAD_REQUEST it is damaged, or not Campfire's
 */
export async function openCampfire(
  { archive, scratch, signal }: Reading,
  path: string,
): Promise<CampfireDatabase> {
  const copy = join(scratch, 'campfire.sqlite3')
  for (const suffix of ['', '-wal']) {
    if (suffix !== '' && !archive.has(path + suffix)) continue
    await pipeline(archive.read(path + suffix), createWriteStream(copy + suffix, { mode: 0o600 }), {
      signal,
    })
  }
  const client = new Database(copy, { nativeBinding: loadAddon() })
  try {
    client.pragma('trusted_schema = OFF')
    client.pragma('cell_size_check = ON')
    const plain = client
      .prepare<[string], number>(
        `SELECT count(*) FROM sqlite_master WHERE name = ? AND type = 'table' AND sql LIKE 'CREATE TABLE %'`,
      )
      .pluck()
    if (![...tables, ...ofRails].every((name) => plain.get(name) === 1)) {
      throw badRequest(sentence('The database is not from Campfire.'))
    }
    const all = Object.entries(statements).map(
      ([name, sql]) => [name, client.prepare<unknown[], unknown>(sql)] as const,
    )
    const prepared = new Map<string, Database.Statement<unknown[], unknown>>(all)
    return {
      *rows(name, bad, ...of) {
        try {
          const statement = prepared.get(name)
          // The details of one thing are few, and are read while others are.
          const found = of.length > 0 ? statement?.all(...of) : statement?.iterate()
          for (const row of found ?? []) {
            const parsed = v.safeParse(schemas[name], row)
            const isGone = isRemoved(name, row as object)
            if (parsed.success && !isGone) yield parsed.output as Row<typeof name>
            else {
              const { id = '' } = row as { id?: unknown }
              bad(`${name} ${String(id)}`, isGone ? 'removed' : 'bad-value')
            }
          }
        } catch (error) {
          throw asDamaged(error)
        }
      },
      close: () => void client.close(),
    }
  } catch (error) {
    client.close()
    throw asDamaged(error)
  }
}

function asDamaged(error: unknown): unknown {
  const { code = '' } = error as { code?: string }
  return /^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(code)
    ? badRequest(sentence('The database of Campfire is damaged.'))
    : error
}
