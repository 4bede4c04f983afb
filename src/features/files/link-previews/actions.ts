import { insertPlaceholderMessage } from '#features/files/thumbnails/queries.ts'
import { accessMessage } from '#features/foundation/core/queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { seconds } from '#platform/clock.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import { day } from '#platform/quotas/quota.ts'
import { hasRoom, spend } from '#platform/quotas/room.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import type { PageFacts } from './page.ts'
import {
  arePreviewsHidden,
  askForPage,
  deletePageWaits,
  findLinkPage,
  insertPageWait,
  removeOldPages,
  setPreviewsHidden,
  settleWaits,
  updateLinkPage,
} from './queries.ts'
import { previewRate } from './quotas.ts'
import { hasPreviews } from './rules.ts'

/** The most pages that are stored. */
const mostPages = 20_000

/**
 * Asks for the pages that a new message links to, unless they were fetched within a day. The message
 * is rendered again once all are there. Links beyond the author's limit get no card.
 *
 * @param pages the addresses of its links, as the renderer found them
 */
export function awaitCards(
  tx: Tx,
  author: User,
  messageId: number,
  pages: readonly string[],
): void {
  if (pages.length === 0 || !hasPreviews(tx, author)) return
  let waits = false
  for (const url of pages) {
    const known = findLinkPage(tx, url)
    const isFresh = (known?.fetchedAt ?? 0) > seconds(tx.clock) - day
    if (isFresh && known?.askedBy === null) continue
    if (!known || known.askedBy === null) {
      if (!hasRoom(tx, previewRate, author)) continue
      spend(tx, previewRate, author)
      askForPage(tx, url, author.id)
    }
    insertPageWait(tx, messageId, url)
    waits = true
  }
  removeOldPages(tx, mostPages)
  if (!waits) insertPlaceholderMessage(tx, messageId)
  wakeJobs(tx)
}

/** The same for an edited message: it no longer waits for the pages that it linked to before. */
export function awaitOtherCards(
  tx: Tx,
  author: User,
  messageId: number,
  pages: readonly string[],
): void {
  deletePageWaits(tx, messageId)
  if (!arePreviewsHidden(tx, messageId)) awaitCards(tx, author, messageId, pages)
}

/** Stores the description of a page, and lets the messages that waited for it show it. */
export function recordPage(tx: Tx, url: string, facts: PageFacts | undefined): void {
  const { title = '', description = '', picture = '' } = facts ?? {}
  const fetchedAt = seconds(tx.clock)
  updateLinkPage(tx, { url, fetchedAt, askedBy: null, title, description, picture })
  for (const messageId of settleWaits(tx, url)) insertPlaceholderMessage(tx, messageId)
  wakeJobs(tx)
}

/**
 * Hides the previews of a message's links from everyone, or shows them again.
 *
 * @throws BAD_REQUEST the caller may not read the message, or is not its author
 */
export function hidePreviews(tx: Tx, caller: Caller, messageId: number, isHidden: boolean): void {
  const message = accessMessage(tx, caller, messageId)
  if (message.senderId !== caller.user.id) {
    throw badRequest(sentSentence('Only the author of a message can hide its link previews'), {
      parameter: 'message_id',
    })
  }
  if (!setPreviewsHidden(tx, messageId, isHidden)) return
  deletePageWaits(tx, messageId)
  insertPlaceholderMessage(tx, messageId)
  wakeJobs(tx)
}

/** Forgets that these messages wait, or hide their previews. */
export function forgetMessages(tx: Tx, ids: readonly number[]): void {
  for (const id of ids) {
    deletePageWaits(tx, id)
    setPreviewsHidden(tx, id, false)
  }
}
