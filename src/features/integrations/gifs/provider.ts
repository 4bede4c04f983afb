import * as v from 'valibot'
import { splitAddress } from '#platform/config/split-address.ts'
import { fetchOutside, type Outgoing } from '#platform/outgoing/fetch.ts'
import { parsed, webLink } from '#platform/outgoing/replies.ts'

/** The providers that the operator can choose, by their names in the API. */
export const gifProviders = ['giphy', 'tenor', 'klipy'] as const
export type GifProvider = (typeof gifProviders)[number]

/** The number of results per page. */
const gifsPerPage = 24

/** In characters: the limit of GIPHY. */
export const longestGifQuery = 50

/** In bytes: an answer describes each picture in many sizes. */
const replyLimit = 1024 * 1024

/** The ratings, from the mildest: the values 1 to 5 of `giphy_rating`. */
const ratings = ['y', 'g', 'pg', 'pg-13', 'r'] as const

/** Why a search failed. The message has no secrets. */
export class GifFailure extends Error {}

export interface FoundGif {
  /** A description without Markdown. */
  readonly title: string
  /** The address that a message links to. */
  readonly url: string
  /** A smaller version of the picture. */
  readonly preview: string
  /** The size of the preview, in pixels. */
  readonly width: number
  readonly height: number
}

export interface GifPage {
  readonly gifs: readonly FoundGif[]
  /** The start of the next page; null: there is none. */
  readonly next: string | null
}

export interface GifSearch {
  /** Empty: popular GIFs. */
  readonly query: string
  /** `GifPage.next` of the page before; empty: the first one. */
  readonly from: string
  /** The value of `giphy_rating`, from 1 on. */
  readonly rating: number
  /** The language of the query, such as `pt-BR`. */
  readonly language: string
}

/** The provider of an address such as `https://giphy:KEY@api.giphy.com/v1/gifs`. */
export function gifProvider(address: string): GifProvider | undefined {
  const { user } = splitAddress(address)
  return gifProviders.find((name) => name === user)
}

/**
 * Asks a provider for pictures.
 *
 * @throws GifFailure; OutsideError
 * @source GIPHY, "API endpoints"; Tenor, "Endpoints"; KLIPY answers as Tenor does
 */
export async function searchGifs(
  server: Outgoing,
  address: string,
  search: GifSearch,
): Promise<GifPage> {
  const isGiphy = gifProvider(address) === 'giphy'
  const { status, body } = await fetchOutside(
    server,
    isGiphy ? giphyUrl(address, search) : tenorUrl(address, search),
    { headers: { Accept: 'application/json' }, limit: replyLimit },
  )
  if (status !== 200) throw new GifFailure(`The provider of GIFs answered with status ${status}.`)
  const reply = parsed(body)
  const page = isGiphy ? giphyPage(reply, search) : tenorPage(reply)
  if (!page) throw new GifFailure('The provider of GIFs answered something else.')
  return page
}

function giphyUrl(address: string, { query, from, rating, language }: GifSearch): string {
  const { base, password } = splitAddress(address)
  const params = new URLSearchParams({
    api_key: password,
    limit: String(gifsPerPage),
    offset: from || '0',
    // GIPHY no longer has a milder one; `giphyPage` leaves out the others.
    rating: ratings[Math.max(rating, 2) - 1] ?? 'g',
    ...(query !== '' && { q: query, lang: language.slice(0, 2) }),
  })
  return `${base}/${query === '' ? 'trending' : 'search'}?${params}`
}

const size = v.pipe(
  v.union([v.number(), v.string()]),
  v.transform(Number),
  v.integer(),
  v.minValue(1),
  v.maxValue(5000),
)
const giphyPicture = v.object({ url: v.string(), width: size, height: size })
const giphyGif = v.object({
  title: v.optional(v.string(), ''),
  rating: v.string(),
  images: v.object({
    downsized: v.object({ url: v.string() }),
    fixed_width_downsampled: v.optional(giphyPicture),
    fixed_width: giphyPicture,
  }),
})
const giphyReply = v.object({ data: v.array(v.unknown()) })

function giphyPage(reply: unknown, { rating, from }: GifSearch): GifPage | undefined {
  if (!v.is(giphyReply, reply)) return undefined
  const shown: readonly string[] = ratings.slice(0, rating)
  const gifs = reply.data.slice(0, gifsPerPage).flatMap((each) => {
    const { success, output } = v.safeParse(giphyGif, each)
    if (!success || !shown.includes(output.rating)) return []
    const { downsized, fixed_width_downsampled, fixed_width } = output.images
    return foundGif(output.title, downsized.url, fixed_width_downsampled ?? fixed_width)
  })
  const end = Number(from || '0') + reply.data.length
  // GIPHY has no later results.
  const isLast = reply.data.length < gifsPerPage || end > 4999
  return { gifs, next: isLast ? null : String(end) }
}

function tenorUrl(address: string, { query, from, rating, language }: GifSearch): string {
  const { base, password } = splitAddress(address)
  const filter = (['high', 'high', 'medium', 'low', 'off'] as const)[rating - 1] ?? 'high'
  const params = new URLSearchParams({
    key: password,
    limit: String(gifsPerPage),
    contentfilter: filter,
    media_filter: 'mediumgif,tinygif',
    locale: language.slice(0, 2),
    ...(from !== '' && { pos: from }),
    ...(query !== '' && { q: query }),
  })
  return `${base}/${query === '' ? 'featured' : 'search'}?${params}`
}

const tenorPicture = v.object({ url: v.string(), dims: v.tuple([size, size]) })
const tenorGif = v.object({
  content_description: v.optional(v.string()),
  title: v.optional(v.string(), ''),
  media_formats: v.object({
    mediumgif: v.optional(v.object({ url: v.string() })),
    tinygif: tenorPicture,
  }),
})
const tenorReply = v.object({ results: v.array(v.unknown()), next: v.optional(v.string()) })

function tenorPage(reply: unknown): GifPage | undefined {
  if (!v.is(tenorReply, reply)) return undefined
  const gifs = reply.results.slice(0, gifsPerPage).flatMap((each) => {
    const { success, output } = v.safeParse(tenorGif, each)
    if (!success) return []
    const { mediumgif, tinygif } = output.media_formats
    const [width, height] = tinygif.dims
    const title = output.content_description ?? output.title
    return foundGif(title, (mediumgif ?? tinygif).url, { url: tinygif.url, width, height })
  })
  const next = reply.next ?? ''
  return { gifs, next: pagePattern.test(next) ? next : null }
}

const pagePattern = /^[\w.=+/-]{1,200}$/

/** Whether this is a valid start of a page for a provider. */
export function isPageStart(address: string, from: string): boolean {
  const pattern = gifProvider(address) === 'giphy' ? /^\d{1,4}$/ : pagePattern
  return from === '' || pattern.test(from)
}

function foundGif(
  title: string,
  url: string,
  preview: { readonly url: string; readonly width: number; readonly height: number },
): FoundGif[] {
  const [link, smaller] = [pictureLink(url), pictureLink(preview.url)]
  if (link === undefined || smaller === undefined) return []
  const { width, height } = preview
  return [{ title: plainTitle(title), url: link, preview: smaller, width, height }]
}

/** The link to a picture, without the parameters with which GIPHY tracks who loads it. */
function pictureLink(given: string): string | undefined {
  const link = webLink(given)
  return link?.split(/[?#]/)[0]
}

/** A title could hold Markdown, and so notify people. */
function plainTitle(title: string): string {
  const words = title
    .slice(0, 500)
    .replace(/[^\p{L}\p{M}\p{N}'’.,!?-]+/gu, ' ')
    .trim()
  return [...words].slice(0, 80).join('').trim() || 'GIF'
}
