import { eq, sql } from 'drizzle-orm'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { linkPages, pageWaits } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type LinkPage = typeof linkPages.$inferSelect

const byUrl = prepared((db) =>
  db
    .select()
    .from(linkPages)
    .where(eq(linkPages.url, sql.placeholder('url')))
    .prepare(),
)

export function findLinkPage(read: Read, url: string): LinkPage | undefined {
  return byUrl(read).get({ url })
}

/** Requests a page on behalf of a user; the old description of a known page stays meanwhile. */
export function askForPage(tx: Tx, url: string, userId: number): void {
  tx.db
    .insert(linkPages)
    .values({ url, askedBy: userId })
    .onConflictDoUpdate({ target: linkPages.url, set: { askedBy: userId } })
    .run()
}

export function updateLinkPage(tx: Tx, page: LinkPage): void {
  const { url, ...changes } = page
  tx.db.update(linkPages).set(changes).where(eq(linkPages.url, url)).run()
}

const asked = preparedSql<{ url: string }>(
  'SELECT url FROM link_pages WHERE asked_by IS NOT NULL LIMIT 1',
)

export function isAnyPageAsked(read: Read): boolean {
  return asked(read).get({}) !== undefined
}

export interface AskedPage {
  readonly url: string
  readonly askedBy: number
}

const oneOfEach = preparedSql<AskedPage>(`
  SELECT min(url) AS url, asked_by AS askedBy FROM link_pages
  WHERE asked_by IS NOT NULL AND asked_by NOT IN (SELECT value FROM json_each(@besides))
  GROUP BY asked_by LIMIT @most
`)

/** One page to fetch for each user, except some users. */
export function listAskedPages(read: Read, besides: readonly number[], most: number): AskedPage[] {
  return oneOfEach(read).all({ besides: JSON.stringify(besides), most })
}

const removeOldest = preparedSql(`
  DELETE FROM link_pages WHERE url IN (
    SELECT url FROM link_pages WHERE fetched_at IS NOT NULL AND asked_by IS NULL
    ORDER BY fetched_at LIMIT max(0, (SELECT count(*) FROM link_pages) - @most)
  )
`)

/** Keeps the newest pages, and those that are to be fetched. */
export function removeOldPages(tx: Tx, most: number): void {
  removeOldest(tx).run({ most })
}

export function insertPageWait(tx: Tx, messageId: number, url: string): void {
  tx.db.insert(pageWaits).values({ messageId, url }).onConflictDoNothing().run()
}

const endWaits = preparedSql('DELETE FROM page_waits WHERE message_id = @messageId')

export function deletePageWaits(tx: Tx, messageId: number): void {
  endWaits(tx).run({ messageId })
}

const waitsFor = preparedSql<{ messageId: number }>(
  'DELETE FROM page_waits WHERE url = @url RETURNING message_id AS messageId',
)
const stillWaits = preparedSql('SELECT 1 FROM page_waits WHERE message_id = @messageId LIMIT 1')

/** Ends the wait for a page. @returns the messages that wait for no other page */
export function settleWaits(tx: Tx, url: string): number[] {
  const ids = waitsFor(tx)
    .all({ url })
    .map(({ messageId }) => messageId)
  return ids.filter((messageId) => stillWaits(tx).get({ messageId }) === undefined)
}

const hidden = preparedSql('SELECT 1 FROM hidden_previews WHERE message_id = @messageId')

/** Whether the author of a message hid the previews of its links. */
export function arePreviewsHidden(read: Read, messageId: number): boolean {
  return hidden(read).get({ messageId }) !== undefined
}

const hide = preparedSql('INSERT OR IGNORE INTO hidden_previews (message_id) VALUES (@messageId)')
const unhide = preparedSql('DELETE FROM hidden_previews WHERE message_id = @messageId')

/** @returns whether that changed anything */
export function setPreviewsHidden(tx: Tx, messageId: number, isHidden: boolean): boolean {
  const set = isHidden ? hide : unhide
  return set(tx).run({ messageId }).changes > 0
}
