import { eq } from 'drizzle-orm'
import { cached } from '#store/cached.ts'
import { realmPictures } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'

export type RealmPicture = typeof realmPictures.$inferSelect
export type PictureKind = RealmPicture['kind']

const byKind = cached((read, kind: PictureKind) =>
  read.db.select().from(realmPictures).where(eq(realmPictures.kind, kind)).get(),
)

/** What was uploaded of a kind, or removed since; undefined: nothing ever. */
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
