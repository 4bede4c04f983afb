import { preparedSql } from '#platform/store/prepared.ts'
import type { Read, Tx } from '#platform/store/store.ts'

const insertOne = preparedSql(`
  INSERT INTO old_links (link, message_id) VALUES (@link, @messageId) ON CONFLICT DO NOTHING`)

/**
 * Stores the old address of an imported message.
 *
 * @param link what follows the host, without a slash before it
 */
export function insertOldLink(tx: Tx, link: string, messageId: number): void {
  insertOne(tx).run({ link, messageId })
}

const insertImported = preparedSql(`
  INSERT INTO imports (id, source, imported_at, keeps_ids)
  VALUES (1, @source, @importedAt, @keepsIds)`)

/** Stores the source of an imported organization. */
export function insertImport(
  tx: Tx,
  imported: { readonly source: string; readonly importedAt: number; readonly keepsIds: boolean },
): void {
  insertImported(tx).run({ ...imported, keepsIds: Number(imported.keepsIds) })
}

const keeping = preparedSql<{ found: number }>('SELECT 1 AS found FROM imports WHERE keeps_ids')
const byLink = preparedSql<{ messageId: number }>(
  'SELECT message_id AS messageId FROM old_links WHERE link = @link',
)

/** The longest address that is looked up, and the most parts of it. */
const longest = 1000
const mostParts = 20

/**
 * The message that an address led to before the organization was imported.
 *
 * @returns undefined: the text is not an address of an imported message
 */
export function findLinkedMessage(read: Read, text: string): number | undefined {
  const address = text.trim()
  if (address.length > longest || !/^https?:\/\/\S+$/i.test(address) || !URL.canParse(address)) {
    return undefined
  }
  const { hash, pathname, search } = new URL(address)
  for (const rest of new Set([pathname + search + hash, pathname + search, pathname])) {
    const parts = [...rest.matchAll(/[/?#&]/g)].slice(0, mostParts)
    for (const { index } of parts) {
      const link = rest.slice(index + 1)
      const found = link === '' ? undefined : byLink(read).get({ link })
      if (found) return found.messageId
    }
  }
  const near = /^#narrow\/.*\/near\/(\d{1,15})(\/|$)/.exec(hash)?.[1]
  return near !== undefined && keeping(read).get({}) ? Number(near) : undefined
}
