import { callAhead, replyAhead } from '#client/api/fetch-api.ts'
import { isKeptLikely } from '#client/commands/kept-database.ts'
import { openingPage, pageParams } from '#client/lists/list-requests.ts'
import { parseHash } from '#client/narrow/hash.ts'
import type { Narrow } from '#client/narrow/narrow.ts'
import { termsOf } from '#client/narrow/terms.ts'
import { registration } from '#client/state/registration.ts'
import { openingOf } from '#client/views/opening.ts'
import { currentEntry } from '#client/views/scroll-anchors.ts'
import { readAhead } from './kept.ts'

export { loadPart } from './load-part.ts'

/**
 * The first file that the page runs: it asks for what the start needs while the rest of the program
 * is still being loaded. The program makes the same calls and gets these answers (`callAhead`). If
 * the last page has stored data, it reads that instead. The program loads its parts by `loadPart`.
 */

const nothing = { peek: () => undefined, current: new Map() }
/** The data before the registration. */
const lookups = { selfId: 0, channels: nothing, users: nothing, groups: nothing }

loadProgram()
if (!isKeptLikely()) {
  void replyAhead('POST', '/register', registration)?.then(askMessages, () => {})
} else {
  void readAhead().then((kept) => {
    if (!kept) void callAhead('POST', '/register', registration).then(askMessages, () => {})
  })
}

/** Its file is on the way since the browser read the page; it runs as soon as it is there. */
function loadProgram(): void {
  const link = document.querySelector<HTMLLinkElement>('#program')
  // As with any script of a page: if it cannot be loaded, there is none.
  if (link) import(link.href).catch(() => {})
}

/** Not earlier: messages after the fetch have to be among the events of the queue. */
function askMessages({ ok }: Response): void {
  if (ok) callMessages()
}

function callMessages(): void {
  const { view } = parseHash(location.hash, lookups)
  if (view?.kind !== 'messages' || !isCertain(view.narrow)) return
  const { anchor } = openingOf(view.narrow, view.near, currentEntry())
  const terms = termsOf(view.narrow, lookups.selfId)
  void callAhead('GET', '/messages', pageParams(terms, openingPage(anchor)))
}

/** Whether the same link means the same once names and the user are known. */
function isCertain({ kind }: Narrow): boolean {
  return kind === 'topic' || kind === 'channel' || kind === 'direct' || kind === 'all'
}
