import { eq, sql } from 'drizzle-orm'
import { cached } from '#platform/store/cached.ts'
import { prepared } from '#platform/store/prepared.ts'
import { realmPictures } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type RealmPicture = typeof realmPictures.$inferSelect
export type PictureKind = RealmPicture['kind']

const ofKind = prepared((db) =>
  db
    .select()
    .from(realmPictures)
    .where(eq(realmPictures.kind, sql.placeholder('kind')))
    .prepare(),
)

const byKind = cached((read, kind: PictureKind) => ofKind(read).get({ kind }))

/** The uploaded picture of a kind, or that it was removed; undefined if none was ever uploaded. */
export function findRealmPicture(read: Read, kind: PictureKind): RealmPicture | undefined {
  return byKind.get(read, kind)
}

export function upsertRealmPicture(tx: Tx, picture: RealmPicture): void {
  const { kind, ...set } = picture
  tx.db
    .insert(realmPictures)
    .values(picture)
    .onConflictDoUpdate({ target: realmPictures.kind, set })
    .run()
  byKind.forget(tx, kind)
}
