import { escapeAttribute, escapeHtml } from '#platform/markdown/escape.ts'
import { widgetLines } from '#shared/widget-lines.ts'
import type { Widget } from '#shared/widget-state.ts'

/** Converts addresses of the server for an archive. */
export interface ArchiveLinks {
  /** From the page to the archive's top folder: empty, or `../` once or more. */
  readonly up: string
  /** The server's origin. */
  readonly origin: string
  /**
   * The page in the archive, from its top folder, for the part of an address after `/#narrow/`;
   * undefined: there is none.
   */
  page(narrow: string): string | undefined
}

const tag = /<(?:a|img|audio|video|source|span)\b[^<>]*>(?:[^<]*<\/span>)?/g
const styled = /(<[a-z][^<>]*?)\sstyle="([^"]*)"/g
const alignment = /^text-align: (left|center|right);$/
const attribute = /\s(href|src)="([^"]*)"/
const emojiCode = /\bclass="emoji emoji-([0-9a-f]+(?:-[0-9a-f]+)*)"/
const externalPicture = /^\/external_content\/[0-9a-f]+\/([0-9a-f]+)$/

/**
 * The HTML of a message as an archive shows it: files, custom emoji and linked messages are in the
 * archive, emoji are characters, and nothing is loaded from elsewhere.
 *
 * @param html as the server rendered it
 */
export function archivedHtml(html: string, links: ArchiveLinks): string {
  return html.replace(styled, withoutStyle).replace(tag, (whole) => {
    const code = emojiCode.exec(whole)?.[1]
    if (code !== undefined) return emojiCharacter(code)
    if (whole.startsWith('<span')) return whole
    const found = attribute.exec(whole)
    if (!found) return whole
    const [text, name = '', url = ''] = found
    if (name === 'src') return loaded(whole, text, url, links)
    return whole.replace(text, () => ` href="${linked(url, links)}"`)
  })
}

/** Pages allow no styles in elements; only the alignment of tables matters. */
function withoutStyle(_: string, before: string, style: string): string {
  const side = alignment.exec(style)?.[1]
  return side === undefined ? before : `${before} class="${side}"`
}

/**
 * A poll with its votes, a to-do list with its marks, or choices, as an archive shows them; undefined
 * for one without options or tasks.
 *
 * @param nameOf the name of a person who voted
 */
export function widgetHtml(widget: Widget, nameOf: (userId: number) => string): string | undefined {
  const people = (ids: readonly number[]) => ids.map(nameOf).join(', ')
  const { lines, title } = widgetLines(widget, { poll: 'Poll', todo: 'To-do list', people })
  if (lines.length === 0) return undefined
  const items = lines.map((line) => `<li>${escapeHtml(line)}</li>`)
  return `<p><strong>${escapeHtml(title)}</strong></p>
<ul>
${items.join('\n')}
</ul>`
}

function emojiCharacter(code: string): string {
  return String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)))
}

function loaded(whole: string, text: string, url: string, { up }: ArchiveLinks): string {
  const path = archivePath(url)
  if (path !== undefined) return whole.replace(text, () => ` src="${up}${path}" loading="lazy"`)
  const hex = externalPicture.exec(url)?.[1]
  // Only the name of a picture on another site: loading it would reveal the reader to that site.
  const name = hex === undefined ? url : Buffer.from(hex, 'hex').toString()
  return whole.startsWith('<img') ? escapeHtml(name) : ''
}

function linked(url: string, links: ArchiveLinks): string {
  const path = archivePath(url)
  if (path !== undefined) return links.up + path
  if (url.startsWith('/#narrow/')) {
    const page = links.page(url.slice('/#narrow/'.length))
    return page === undefined ? escapeAttribute(links.origin) + url : links.up + page
  }
  return url.startsWith('/') ? escapeAttribute(links.origin) + url : url
}

/** The place in the archive for a path of the server. */
function archivePath(url: string): string | undefined {
  const thumbnail = /^\/user_uploads\/thumbnail\/(.+)\/[^/]+$/.exec(url)?.[1]
  if (thumbnail !== undefined) return `files/${thumbnail}`
  const upload = /^\/user_uploads\/([^?#]+)/.exec(url)?.[1]
  if (upload !== undefined) return `files/${upload}`
  const emoji = /^\/user_avatars\/\d+\/emoji\/images\/([^/?#]+)$/.exec(url)?.[1]
  return emoji === undefined ? undefined : `emoji/${emoji}`
}
