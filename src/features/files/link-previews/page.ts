import { readHtml } from '#platform/html/reading.ts'

/** A web page's description of itself. */
export interface PageFacts {
  readonly title: string
  readonly description: string
  /** An absolute web address; empty: none. */
  readonly picture: string
}

/** How much of a document is read, in UTF-16 code units; the rest is ignored. */
const longestHtml = 512 * 1024
const longest = { title: 200, description: 300, address: 2000 } as const

/** The oEmbed endpoints of large sites, whose HTML may only say "Please accept cookies". */
const oEmbedSites: readonly (readonly [pages: RegExp, endpoint: string])[] = [
  [
    /^https?:\/\/(?:(?:www|m|music)\.)?youtube\.com\/(?:watch|shorts\/|live\/|playlist)|^https?:\/\/youtu\.be\//i,
    'https://www.youtube.com/oembed',
  ],
  [/^https?:\/\/(?:www\.|player\.)?vimeo\.com\/\S*\d/i, 'https://vimeo.com/api/oembed.json'],
  [/^https?:\/\/open\.spotify\.com\/\S/i, 'https://open.spotify.com/oembed'],
]

/**
 * The oEmbed address of a page; undefined if it is not on one of the large sites.
 *
 * @source oEmbed, "Registry" (https://oembed.com/providers.json, read 24 November 2026)
 */
export function oEmbedAddress(url: string): string | undefined {
  const endpoint = oEmbedSites.find(([pages]) => pages.test(url))?.[1]
  return endpoint && `${endpoint}?format=json&url=${encodeURIComponent(url)}`
}

/** The description in a reply of oEmbed. Its HTML, a foreign frame, is ignored. */
export function factsOfOEmbed(body: string): PageFacts | undefined {
  const reply = parsed(body)
  const title = words(textOf(reply.title), longest.title)
  if (title === '') return undefined
  const by = [reply.author_name, reply.provider_name].map(textOf).filter((name) => name !== '')
  return {
    title,
    description: words(by.join(' · '), longest.description),
    picture: webAddress(textOf(reply.thumbnail_url)),
  }
}

function parsed(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** The description in HTML, and the site's oEmbed address. */
export interface PageReading {
  /** Undefined for a page without a title. */
  readonly facts: PageFacts | undefined
  /** An absolute address; empty: none. */
  readonly oEmbed: string
}

/**
 * Reads the description of a page: from Open Graph, else from Twitter's cards, else from its title.
 *
 * @param url of the page, for its relative addresses
 */
export async function readPage(html: string, url: string): Promise<PageReading> {
  const said = new Map<string, string>()
  const keep = (name: string, value: string) => {
    if (value.trim() !== '' && !said.has(name)) said.set(name, value)
  }
  let isTitle = false
  let title = ''
  let isOver = false
  await readHtml(html.slice(0, longestHtml), {
    start({ name, attribute }) {
      if (name === 'body') isOver = true
      else if (name === 'title') isTitle = said.get('title') === undefined
      else if (name === 'meta') {
        const property = (attribute('property') || attribute('name')).trim().toLowerCase()
        if (wanted.has(property)) keep(property, attribute('content'))
      } else if (name === 'link' && /^application\/json\+oembed$/i.test(attribute('type'))) {
        keep('oembed', attribute('href'))
      }
    },
    end(name) {
      if (name !== 'title' || !isTitle) return
      isTitle = false
      keep('title', title)
    },
    text(text) {
      if (isTitle && title.length < 1000) title += text
    },
    isOver: () => isOver,
  })
  const first = (...names: string[]) => names.map((name) => said.get(name)).find(Boolean) ?? ''
  const facts = {
    title: words(first('og:title', 'twitter:title', 'title'), longest.title),
    description: words(
      first('og:description', 'twitter:description', 'description'),
      longest.description,
    ),
    picture: webAddress(
      first(
        'og:image:secure_url',
        'og:image',
        'og:image:url',
        'twitter:image',
        'twitter:image:src',
      ),
      url,
    ),
  }
  return {
    facts: facts.title === '' ? undefined : facts,
    oEmbed: webAddress(first('oembed'), url),
  }
}

const wanted = new Set(
  `og:title og:description og:image og:image:url og:image:secure_url twitter:title
  twitter:description twitter:image twitter:image:src description`.split(/\s+/),
)

/** Invisible characters, and those that change the direction of the text. */
const unseen = /[\p{Cc}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{2069}\u{feff}]+/gu

/** Foreign text as one line. */
function words(text: string, most: number): string {
  const line = text
    .slice(0, 4 * most)
    .toWellFormed()
    .replace(unseen, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : line
}

function webAddress(address: string, base?: string): string {
  if (address.trim() === '' || !URL.canParse(address, base)) return ''
  const { protocol, href } = new URL(address, base)
  return /^https?:$/.test(protocol) && href.length <= longest.address ? href : ''
}

/** The encoding of a document: from the header, else from its beginning. */
export function charsetOf(contentType: string, beginning: string): string {
  const [, named] =
    /charset\s*=\s*["']?([\w-]+)/i.exec(contentType) ??
    /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(beginning) ??
    []
  return named ?? 'utf-8'
}
