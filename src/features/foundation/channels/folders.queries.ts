import { asc, eq, max } from 'drizzle-orm'
import { prepared } from '#platform/store/prepared.ts'
import { channelFolders, channels } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type ChannelFolder = typeof channelFolders.$inferSelect

export function findFolder(read: Read, id: number): ChannelFolder | undefined {
  return read.db.select().from(channelFolders).where(eq(channelFolders.id, id)).get()
}

const all = prepared((db) =>
  db.select().from(channelFolders).orderBy(asc(channelFolders.position)).prepare(),
)

/** All folders, including archived ones, in display order. */
export function listFolders(read: Read): ChannelFolder[] {
  return all(read).all()
}

/** Adds a folder after all others. */
export function insertFolder(
  tx: Tx,
  folder: Omit<typeof channelFolders.$inferInsert, 'position'>,
): ChannelFolder {
  const last = tx.db
    .select({ position: max(channelFolders.position) })
    .from(channelFolders)
    .get()
  return tx.db
    .insert(channelFolders)
    .values({ ...folder, position: (last?.position ?? -1) + 1 })
    .returning()
    .get()
}

export function updateFolder(
  tx: Tx,
  id: number,
  changes: Partial<Omit<ChannelFolder, 'id'>>,
): ChannelFolder {
  return tx.db
    .update(channelFolders)
    .set(changes)
    .where(eq(channelFolders.id, id))
    .returning()
    .get()
}

/** Whether any channel, archived or not, is in a folder. */
export function holdsChannels(read: Read, folderId: number): boolean {
  const held = read.db
    .select({ id: channels.id })
    .from(channels)
    .where(eq(channels.folderId, folderId))
    .get()
  return held !== undefined
}
