import { externalContentLink } from '#features/files/external-content/links.queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { OutsideError } from '#platform/outgoing/fetch.ts'
import { spend } from '#platform/quotas/room.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import type { Read } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { GifFailure, type GifPage, isPageStart, searchGifs } from './provider.ts'
import { gifRate } from './quotas.ts'

/** How long an answer of the provider is reused, in milliseconds. */
const kept = 600_000

/** How many answers are kept. */
const mostKept = 200

interface PageReply {
  readonly page: Promise<GifPage>
  readonly until: number
}

/** The answers of the provider by query, oldest first, including pending ones. */
const replies = perDatabase(() => new Map<string, PageReply>())

/** A picture for the picker, which loads its preview from this server. */
export interface ShownGif {
  readonly title: string
  readonly url: string
  readonly previewPath: string
  readonly width: number
  readonly height: number
}

/**
 * Searches for GIFs at the operator's provider, up to the rating that the organization allows. Only
 * this server asks the provider, and it serves the pictures, both in the search and in messages.
 *
 * @param query empty: popular GIFs
 * @param from where the page begins; empty: the first one
 * @throws BAD_REQUEST there are no GIFs here; the provider fails
 * @throws RATE_LIMIT_HIT
 */
export async function findGifs(
  caller: Caller,
  { query, from }: { readonly query: string; readonly from: string },
): Promise<{ readonly gifs: readonly ShownGif[]; readonly next: string | null }> {
  const { server, store, user } = caller
  const address = requireGifs(store)
  if (!isPageStart(address, from))
    throw badRequest(sentSentence("Invalid 'from'"), { parameter: 'from' })
  const rating = realmSetting(store, 'giphy_rating')
  const language = realmSetting(store, 'default_language')
  const search = { query: query.trim().replace(/\s+/g, ' ').toLowerCase(), from, rating, language }
  const key = JSON.stringify(search)
  const all = replies(store)
  const isKnown = () => (all.get(key)?.until ?? 0) > server.clock.elapsed()
  if (!isKnown()) {
    await store.write((tx) => spend(tx, gifRate, user))
    // Someone else may have asked meanwhile.
    if (!isKnown()) ask(all, key, server.clock.elapsed(), searchGifs(server, address, search))
  }
  try {
    const { gifs, next } = (await all.get(key)?.page) ?? { gifs: [], next: null }
    return { gifs: gifs.flatMap((gif) => shown(store, gif)), next }
  } catch (error) {
    all.delete(key)
    if (!(error instanceof GifFailure || error instanceof OutsideError)) throw error
    server.log.warn({ reason: error.message }, 'no GIFs found')
    throw badRequest(sentSentence('GIFs cannot be searched at the moment.'))
  }
}

/** @throws BAD_REQUEST */
function requireGifs(read: Read): string {
  const { gifsUrl, externalContent } = read.config
  if (gifsUrl === null || !externalContent)
    throw badRequest(sentSentence('GIFs are not configured.'))
  if (realmSetting(read, 'giphy_rating') === 0) {
    throw badRequest(sentSentence('The organization has disabled GIFs.'))
  }
  return gifsUrl
}

function ask(all: Map<string, PageReply>, key: string, now: number, page: Promise<GifPage>): void {
  all.delete(key)
  all.set(key, { page, until: now + kept })
  for (const oldest of all.keys()) {
    if (all.size <= mostKept) return
    all.delete(oldest)
  }
}

function shown(read: Read, { preview, ...gif }: GifPage['gifs'][number]): ShownGif[] {
  const previewPath = externalContentLink(read, preview, 'picture')
  return previewPath === undefined ? [] : [{ ...gif, previewPath }]
}
