import {
  escaped,
  fenced,
  inlineCode,
  linkTo,
  type Pieces,
} from '#features/organization/import/reading/content.ts'
import { emojiCharacters } from '#features/organization/import/reading/emoji-names.ts'
import type { Reference } from '#features/organization/import/stream.ts'
import type { People } from './people.ts'

/** Placeholders for marks until everything else is escaped; no text contains these characters. */
const signs = {
  mark: '\u0000',
  bold: '\u0001',
  italic: '\u0002',
  strike: '\u0003',
  quote: '\u0004',
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what stands for marks
const control = /[\u0000-\u0008]/g

const tokens = /```([\s\S]*?)```|`([^`\n]+)`|<([^<>\n]+)>|:([a-z0-9_+'-]+(?:::skin-tone-\d)?):/g

/**
 * Converts Slack's markup to Markdown.
 *
 * @source Slack, "Formatting text for app surfaces"
 */
export function mrkdwn(source: string, people: People): Pieces {
  const found: Pieces[] = []
  const text = source
    .replace(control, '')
    .replace(tokens, (whole, block?: string, code?: string, link?: string, emoji?: string) => {
      if (block !== undefined) found.push([fenced(decoded(block).replace(/^\n/, ''))])
      else if (code !== undefined) found.push([inlineCode(decoded(code))])
      else if (link !== undefined) found.push(reference(link, people))
      else {
        const characters = people.hasEmoji(emoji ?? '') ? undefined : emojiCharacters(emoji ?? '')
        if (characters === undefined) return whole
        found.push([characters])
      }
      return `${signs.mark}${found.length - 1}${signs.mark}`
    })
  return emphasized(text)
    .split(signs.mark)
    .flatMap((piece, i): Pieces => (i % 2 === 0 ? [finished(piece)] : (found[Number(piece)] ?? [])))
}

/** Puts signs where Slack's marks are: around words, with no letters outside. */
function emphasized(text: string): string {
  return text
    .replace(/^(?:&gt;)+ ?/gm, signs.quote)
    .replace(/(?<![\w*])\*(?=\S)([^*\n]*[^*\s])\*(?![\w*])/g, `${signs.bold}$1${signs.bold}`)
    .replace(/(?<![\w_])_(?=\S)([^_\n]*[^_\s])_(?![\w_])/g, `${signs.italic}$1${signs.italic}`)
    .replace(/(?<![\w~])~(?=\S)([^~\n]*[^~\s])~(?![\w~])/g, `${signs.strike}$1${signs.strike}`)
}

/** Entities are decoded last, so that `&amp;lt;` is what its author saw. */
function finished(text: string): string {
  return escaped(decoded(text))
    .replaceAll(signs.bold, '**')
    .replaceAll(signs.italic, '*')
    .replaceAll(signs.strike, '~~')
    .replaceAll(signs.quote, '> ')
}

/** Slack only encodes these three characters. */
export const decoded = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** The part between `<` and `>`. */
function reference(source: string, people: People): Pieces {
  const bar = source.indexOf('|')
  const target = bar < 0 ? source : source.slice(0, bar)
  const label = bar < 0 ? '' : decoded(source.slice(bar + 1))
  if (/^@[A-Z0-9]+$/.test(target)) return [mention(target.slice(1), label, people)]
  if (/^#[A-Z0-9]+$/.test(target)) return [channelLink(target.slice(1), label)]
  if (/^!(channel|here|everyone)\b/.test(target)) return [{ everyone: true }]
  const [command = '', ...details] = target.split('^')
  if (command === '!subteam') return [escaped(label || '@group')]
  if (command === '!date') return [moment(Number(details[0]), label)]
  if (target.startsWith('!')) return [escaped(label || target)]
  return [link(decoded(target), label)]
}

export function mention(id: string, label: string, people: People): Reference {
  const name = label.replace(/^@/, '') || people.nameOf(id) || id
  return { person: people.keyOf(id), text: `@${escaped(name)}` }
}

export function channelLink(id: string, label = ''): Reference {
  return { channel: id, text: `#${escaped(label || id)}` }
}

/** A time, shown in each reader's time zone. */
export function moment(seconds: number, fallback: string): string {
  const isTime = Number.isFinite(seconds) && Math.abs(seconds) < 253_402_300_800
  return isTime ? `<time:${new Date(seconds * 1000).toISOString()}>` : escaped(fallback)
}

const messageUrl = /^https:\/\/[\w.-]+\.slack\.com\/archives\/([A-Z0-9]+)\/p(\d{10})(\d{6})(?![\d])/

/** A link to a page, or to a message. Tokens of an export are not passed on. */
export function link(url: string, label: string): string | Reference {
  const clean = withoutToken(url)
  const [, channel, seconds, fraction] = messageUrl.exec(clean) ?? []
  if (channel !== undefined) {
    const message = `${channel}-${seconds}.${fraction}`
    return { message, text: withoutToken(label || clean), url: clean }
  }
  return linkTo(clean, withoutToken(label))
}

/** Slack writes a token into the addresses of files. */
export function withoutToken(text: string): string {
  return text.replace(/([?&])t=xox[a-z]-[\w-]+&?/g, '$1').replace(/[?&]$/, '')
}
