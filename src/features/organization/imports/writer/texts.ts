import { limits } from '#features/foundation/realm/limits.ts'
import type { Content, Reference } from '#features/organization/imports/stream.ts'
import { channelUrl } from '#platform/markdown/links.ts'

/** Characters that no text may contain: NUL and lone surrogates. */
export function cleanText(text: string): string {
  const isClean = text.isWellFormed() && !text.includes('\0') && !text.includes('\r')
  return isClean ? text : text.toWellFormed().replaceAll('\0', '').replaceAll(/\r\n?/g, '\n')
}

export type Parts = readonly (string | Reference)[]

export const partsOf = (content: Content): Parts =>
  typeof content === 'string' ? [cleanText(content)] : content.map(cleanPart)

const cleanPart = (part: string | Reference) => (typeof part === 'string' ? cleanText(part) : part)

/** How long a reference may become at most: two names, or a name and the address of a message. */
const longestReference = 400

const lengthOf = (part: string | Reference) =>
  typeof part === 'string'
    ? part.length
    : longestReference + ('text' in part && part.text ? part.text.length : 0)

/**
 * Splits a text that is too long for a message, between lines if possible, and so that a code block
 * continues in the next part.
 */
export function splitContent(parts: Parts): Parts[] {
  let total = 0
  for (const part of parts) total += lengthOf(part)
  if (total <= limits.messageLength) return [parts]
  const all: (string | Reference)[][] = [[]]
  let length = 0
  let fence = ''
  const next = () => {
    if (fence !== '') all.at(-1)?.push('\n```')
    all.push(fence === '' ? [] : [`${fence}\n`])
    length = fence.length + 1
  }
  // Room for the fence that ends one text and begins the next.
  const most = limits.messageLength - 100
  for (const part of parts) {
    if (typeof part !== 'string') {
      if (length + lengthOf(part) > most) next()
      all.at(-1)?.push(part)
      length += lengthOf(part)
      continue
    }
    for (const line of linesOf(part, most)) {
      if (length + line.length > most) next()
      all.at(-1)?.push(line)
      length += line.length
      const mark = /^\s*(```\S{0,40})\s*$/.exec(line)?.[1]
      if (mark !== undefined) fence = fence === '' ? mark : ''
    }
  }
  return all.filter((each) => each.some((part) => typeof part !== 'string' || part.trim() !== ''))
}

/** The lines of a text with their ends, those that are too long in pieces. */
function* linesOf(text: string, most: number): Generator<string> {
  for (const line of text.split(/(?<=\n)/)) {
    for (let at = 0; at < line.length; ) {
      let end = Math.min(at + most, line.length)
      if (end < line.length && /[\uD800-\uDBFF]/.test(line[end - 1] ?? '')) end--
      yield line.slice(at, end)
      at = end
    }
  }
}

/** The targets of references; undefined: unknown. */
export interface Referents {
  /** The origin of this server. */
  readonly realmUrl: string
  person(key: string): { readonly id: number; readonly fullName: string } | undefined
  group(key: string): string | undefined
  channel(key: string): { readonly id: number; readonly name: string } | undefined
  /** The path of the link to a message. */
  message(key: string): string | undefined
  /** The path of the link to a topic. */
  thread(key: string): string | undefined
  /** The path and the name of a file; its name if there is only that. */
  file(key: string): { readonly name: string; readonly path?: string } | undefined
}

/** The Markdown of a text. */
export function resolveContent(parts: Parts, known: Referents): string {
  const [only] = parts
  if (parts.length === 1 && typeof only === 'string') return only
  return parts.map((part) => (typeof part === 'string' ? part : resolve(part, known))).join('')
}

function resolve(part: Reference, known: Referents): string {
  if ('person' in part) {
    const person = known.person(part.person)
    if (!person) return part.text ?? `@${part.person}`
    return `@${part.silent ? '_' : ''}**${person.fullName}|${person.id}**`
  }
  if ('group' in part) {
    const name = known.group(part.group)
    return name === undefined ? (part.text ?? '@group') : `@${part.silent ? '_' : ''}*${name}*`
  }
  if ('path' in part) return `${known.realmUrl}${part.path}`
  if ('everyone' in part) return '@**all**'
  if ('channel' in part) {
    const channel = known.channel(part.channel)
    if (!channel) return part.text ?? `#${part.channel}`
    // A name with such a mark in it would end the link early.
    return channel.name.includes('*')
      ? link(`#${channel.name}`, channelUrl(channel))
      : `#**${channel.name}**`
  }
  if ('file' in part) {
    const file = known.file(part.file)
    const text = part.text ?? file?.name ?? 'file'
    return file?.path === undefined
      ? `${plain(text)} (this file was not imported)`
      : link(text, `/user_uploads/${encodeURI(file.path)}`)
  }
  if ('thread' in part) {
    const path = known.thread(part.thread)
    return path === undefined ? plain(part.text) : link(part.text, path)
  }
  const path = known.message(part.message) ?? part.url
  return path === undefined ? plain(part.text) : link(part.text, path)
}

const link = (text: string, url: string) =>
  `[${plain(text)}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`

/** A text on one line without Markdown, for a link. */
const plain = (text: string) => cleanText(text).replace(/\s+/g, ' ').replace(/[[\]]/g, '\\$&')
