import { emojiByName, emojiNames, emojiOfCharacters } from '#platform/emoji-data/unicode.ts'
import { extraEmojiPath } from '#shared/emoji-text.ts'
import { afford, type Context } from './context.ts'
import { escapeAttribute, escapeHtml, escapeText } from './escape.ts'

/** An emoji by name. */
const named = /:([\w+-]+):/g
const beyondLatin = /[\u0100-\u{10ffff}]/u
/**
 * An emoji sequence as Unicode allows it: flags, keycaps, tags, skin tones, and joined parts. It
 * matches whole sequences, so that an unknown one is not shown as its first part.
 */
const characters =
  /\p{RI}\p{RI}|[\p{Emoji}](?:\p{EMod}|\ufe0f?\u20e3|\ufe0f)?[\u{e0020}-\u{e007f}]*(?:\u200d\p{Emoji}(?:\p{EMod}|\ufe0f)?)*\ufe0e?/gu
/** Shown as text unless followed by the emoji variation selector. */
const textual = new Set(['©', '®', '™'])

/** Emoji outside Unicode that the server provides, by name, with the path of the image. */
const extraEmoji: Record<string, string> = {
  zulip: extraEmojiPath,
}

/** The emoticons that clients list in their settings. */
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

/** Renders plain text: converts emoji and escapes HTML. */
export function renderEmoji(text: string, context: Context): string {
  if (!text.includes(':')) return renderEmoticons(text, context)
  return replaceFound(
    text,
    named,
    (match) => affordable(namedHtml(match.slice(1, -1), context), context),
    (rest) => renderEmoticons(rest, context),
  )
}

function renderEmoticons(text: string, context: Context): string {
  if (!context.lookups.translateEmoticons) return renderCharacters(text, context)
  return replaceFound(
    text,
    emoticon,
    (match) => affordable(namedHtml(emoticons[match] ?? '', context), context),
    (rest) => renderCharacters(rest, context),
  )
}

function renderCharacters(text: string, context: Context): string {
  if (!beyondLatin.test(text)) return escapeText(text)
  const replacement = (match: string) => affordable(charactersHtml(match), context)
  return replaceFound(text, characters, replacement, escapeText)
}

/** Emoji are thirty times as long in HTML, so those beyond the limit per message stay text. */
function affordable(html: string | undefined, context: Context): string | undefined {
  return html !== undefined && afford(context, 'markupBudget', html) ? html : undefined
}

/** Replaces the matches that have a replacement; `rest` renders the text between them. */
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

/** Custom emoji take precedence over Unicode emoji of the same name. */
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
