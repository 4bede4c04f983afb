import { decodeEntities } from '#platform/markdown/escape.ts'

/**
 * The visible text of a rendered message, without hidden spoilers, for places without HTML. The web
 * client's own notifications use the same text.
 */
export function shownText(html: string): string {
  let text = ''
  /** For each open element, whether its text is left out. */
  const hidden: boolean[] = []
  for (const [token, tag] of html.matchAll(/<(\/?[a-z][a-z0-9]*)[^>]*>|[^<]+/gi)) {
    const isHidden = hidden.at(-1) ?? false
    if (tag === undefined) {
      if (!isHidden) text += token
    } else if (tag.startsWith('/')) {
      hidden.pop()
      if (!isHidden && blocks.has(tag.slice(1))) text += '\n'
    } else if (voids.has(tag)) {
      if (!isHidden) text += tag === 'br' ? '\n' : (emojiName.exec(token)?.[1] ?? '')
    } else {
      const code = emojiCode.exec(token)?.[1]
      if (code && !isHidden) text += character(code)
      if (!isHidden && spoiler.test(token)) text += '…'
      // Mathematics is shown as its source.
      hidden.push(tag !== 'annotation' && (isHidden || code !== undefined || left.test(token)))
      if (tag === 'li' && !isHidden) text += '• '
    }
  }
  return decodeEntities(text.replaceAll('&nbsp;', ' '))
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim()
}

/** @param code the code points in hexadecimal, joined by `-` */
function character(code: string): string {
  return String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)))
}

const blocks = new Set('p li h1 h2 h3 h4 h5 h6 pre blockquote div tr table ul ol'.split(' '))
const voids = new Set('br img input hr source'.split(' '))
/** A custom emoji's picture, and the span of any other one with its code points. */
const emojiName = /^<img alt="([^"]*)" class="emoji"/
const emojiCode = /^<span [^>]*class="emoji emoji-([0-9a-f-]+)"/
const spoiler = /class="(?:[^"]* )?spoiler-content\b/
/** Hidden parts: contents of spoilers, previews, and the drawing of mathematics. */
const left =
  /class="(?:[^"]* )?(?:spoiler-content|message_inline_image|message_embed|katex-mathml|katex-html)\b/

/** At most `most` characters, with an ellipsis in place of the rest. */
export function shortened(text: string, most: number): string {
  const characters = text.length > most ? [...text] : []
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : text
}
