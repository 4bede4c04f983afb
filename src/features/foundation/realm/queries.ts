import { randomBytes } from 'node:crypto'
import { cached } from '#platform/store/cached.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { realm } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type Realm = typeof realm.$inferSelect

const theRealm = prepared((db) => db.select().from(realm).prepare())

const organization = cached((read) => theRealm(read).get())

/** The organization; undefined until it is set up. */
export function findRealm(read: Read): Realm | undefined {
  return organization.get(read, 1)
}

/** A `dataId` that no other data have. */
export const newDataId = (): string => randomBytes(16).toString('hex')

/** Gives a copy of the database a `dataId` of its own. @param copy one that no server has open */
export function renewDataId(copy: Read): void {
  copy.db.update(realm).set({ dataId: newDataId() }).run()
}

export function insertRealm(tx: Tx, row: typeof realm.$inferInsert): void {
  tx.db.insert(realm).values(row).run()
  organization.forget(tx, 1)
}

/** Changes the organization's name, description or deactivation. */
export function updateRealm(
  tx: Tx,
  changes: Partial<Pick<Realm, 'name' | 'description' | 'deactivatedAt' | 'deletionAt'>>,
): void {
  tx.db.update(realm).set(changes).run()
  organization.forget(tx, 1)
}

/** The organization, for callers that run only after it is set up. */
export function requireRealm(read: Read): Realm {
  const found = findRealm(read)
  if (!found) throw new Error('There is no organization yet.')
  return found
}

const webPublicChannel = preparedSql<{ id: number }>(
  'SELECT id FROM channels WHERE is_web_public AND NOT is_archived LIMIT 1',
)

/** Whether any channel can be read without an account. */
export function hasWebPublicChannel(read: Read): boolean {
  return webPublicChannel(read).get({}) !== undefined
}
