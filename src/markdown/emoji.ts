import { emojiByName, emojiNames, emojiOfCharacters } from '#emoji/unicode.ts'
import type { Context } from './context.ts'
import { escapeAttribute, escapeHtml, escapeText } from './escape.ts'

/** What a text may have that becomes emoji: `:name:`, characters, and emoticons. */
const named = /:([\w+-]+):/g
const beyondLatin = /[\u0100-\u{10ffff}]/u
/**
 * What Unicode allows as an emoji sequence: flags, keycaps, tags, skin tones, and parts joined.
 * It is taken whole or not at all: an unknown sequence is not shown as its first part.
 */
const characters =
  /\p{RI}\p{RI}|[\p{Emoji}](?:\p{EMod}|\ufe0f?\u20e3|\ufe0f)?[\u{e0020}-\u{e007f}]*(?:\u200d\p{Emoji}(?:\p{EMod}|\ufe0f)?)*\ufe0e?/gu
/** Shown as text unless a variation selector asks for the picture. */
const textual = new Set(['©', '®', '™'])

/** Emoji that this server has besides unicode's; shown as pictures of its own. */
const extraEmoji: Record<string, string> = {
  zulip: '/static/generated/emoji/images/emoji/unicode/zulip.png',
}

/** @source the emoticons that clients' settings list */
const emoticons: Record<string, string> = {
  ':)': 'smile',
  '(:': 'smile',
  ':(': 'frown',
  '<3': 'heart',
  ':|': 'expressionless',
  ':/': 'confused',
  ';)': 'wink',
  ':D': 'grinning',
  ':o': 'open_mouth',
  ':O': 'open_mouth',
  ':p': 'stuck_out_tongue',
  ':P': 'stuck_out_tongue',
}
const emoticon = /(?<![^\s,.;?!()[\]"'])(?::[)(|/DoOpP]|\(:|<3|;\))(?![^\s,.;?!()[\]"'])/g

/** Renders text in which only emoji and characters to escape are left. */
export function renderEmoji(text: string, context: Context): string {
  if (!text.includes(':')) return renderEmoticons(text, context)
  return replaceFound(
    text,
    named,
    (match) => namedHtml(match.slice(1, -1), context),
    (rest) => renderEmoticons(rest, context),
  )
}

function renderEmoticons(text: string, context: Context): string {
  if (!context.lookups.translateEmoticons) return renderCharacters(text)
  return replaceFound(
    text,
    emoticon,
    (match) => namedHtml(emoticons[match] ?? '', context),
    renderCharacters,
  )
}

function renderCharacters(text: string): string {
  if (!beyondLatin.test(text)) return escapeText(text)
  return replaceFound(text, characters, charactersHtml, escapeText)
}

/** Replaces what matches and has a replacement; `rest` renders what lies between. */
function replaceFound(
  text: string,
  pattern: RegExp,
  replacement: (match: string) => string | undefined,
  rest: (text: string) => string,
): string {
  let html = ''
  let at = 0
  for (const match of text.matchAll(pattern)) {
    const replaced = replacement(match[0])
    if (replaced === undefined) continue
    html += rest(text.slice(at, match.index)) + replaced
    at = match.index + match[0].length
  }
  return html + rest(text.slice(at))
}

/** Custom emoji come before unicode's of the same name. */
function namedHtml(name: string, context: Context): string | undefined {
  const custom = context.lookups.customEmoji(name)
  const source = custom?.sourceUrl ?? (Object.hasOwn(extraEmoji, name) && extraEmoji[name])
  if (source) {
    const alt = escapeAttribute(`:${name}:`)
    const title = escapeAttribute(spaced(name))
    return `<img alt="${alt}" class="emoji" src="${escapeAttribute(source)}" title="${title}">`
  }
  const code = emojiByName(name)
  return code && unicodeHtml(name, code)
}

function charactersHtml(found: string): string | undefined {
  if (textual.has(found) || found.endsWith('\ufe0e')) return undefined
  const code = emojiOfCharacters(found)
  const name = code && emojiNames(code)[0]
  return code && name && unicodeHtml(name, code)
}

function unicodeHtml(name: string, code: string): string {
  const label = escapeHtml(spaced(name))
  return (
    `<span aria-label="${label}" class="emoji emoji-${code}" role="img" title="${label}">` +
    `:${name}:</span>`
  )
}

function spaced(name: string): string {
  return name.replaceAll('_', ' ')
}
