import { inline, link, webAddress } from '#features/integrations/webhook-services/format.ts'
import { cleanText } from '#features/integrations/webhook-services/text.ts'

/**
 * They enclose the index of a replaced part; private-use characters that the text cannot contain.
 */
const [open, close] = ['\ue000', '\ue001']

/** Angle brackets without a name, command or address in them are of a program that escapes nothing. */
const codeOrTag =
  /```[\s\S]*?```|`[^`\n]+`|<((?:[@#!](?=[^\s|])|(?:mailto|tel):|[a-z][a-z\d+.-]{1,20}:(?:\/\/|[^<>\n|]{1,2000}\|))[^<>\n]{1,4000})>/gi
const marks = [
  [/(?<=^|[\s([{"'_~\ue001-])\*(?=\S)([^*\n]*?\S)\*(?=$|[\s)\]}.,;:!?"'_~\ue000-])/gm, '**'],
  [/(?<=^|[\s([{"'*~\ue001-])_(?=\S)([^_\n]*?\S)_(?=$|[\s)\]}.,;:!?"'*~\ue000-])/gm, '*'],
  [/(?<=^|[\s([{"'*\ue001-])~(?=\S)([^~\n]*?\S)~(?=$|[\s)\]}.,;:!?"'*\ue000-])/gm, '~~'],
] as const

/**
 * Converts Slack's mrkdwn to Markdown.
 *
 * @source Slack API, "Formatting text for app surfaces"
 */
export function fromMrkdwn(source: string): string {
  const aside: string[] = []
  const put = (markdown: string) => `${open}${aside.push(markdown) - 1}${close}`
  const text = cleanText(source).replace(/[\ue000\ue001]/g, '')
  const outlined = text.replace(codeOrTag, (match: string, tag: string | undefined) =>
    put(tag === undefined ? codeOf(match) : tagOf(tag)),
  )
  const marked = marks.reduce(
    (line, [pattern, mark]) => line.replace(pattern, (_, words: string) => mark + words + mark),
    outlined,
  )
  const whole = decode(marked).replace(
    /\ue000(\d+)\ue001/g,
    (_, i: string) => aside[Number(i)] ?? '',
  )
  return silenceWildcards(whole)
}

/** Slack's plain text, in which only emoji have a meaning. */
export function fromPlain(source: string): string {
  return silenceWildcards(cleanText(source))
}

/** Makes wildcard mentions silent, so that other services cannot notify everyone. */
export function silenceWildcards(markdown: string): string {
  return markdown.replace(/@(?=\*\*(?:all|everyone|channel|stream|topic)\*\*)/g, '@_')
}

/** Puts the fences of a code block on lines of their own, as Markdown requires. */
function codeOf(match: string): string {
  if (!match.startsWith('```')) return decode(match)
  const code = decode(match.slice(3, -3)).replace(/^\n|\n$/g, '')
  return `\n\`\`\`\n${code}\n\`\`\`\n`
}

/** The Markdown for the contents of angle brackets. */
function tagOf(tag: string): string {
  const bar = tag.indexOf('|')
  const target = bar < 0 ? tag : tag.slice(0, bar)
  const label = decode(bar < 0 ? '' : tag.slice(bar + 1))
  switch (target[0]) {
    case '@':
      return `@${inline(label || target.slice(1)).replace(/^@/, '')}`
    case '#':
      return `#${inline(label || target.slice(1)).replace(/^#/, '')}`
    case '!':
      return commandOf(target.slice(1), label)
  }
  const address = decode(target)
  if (webAddress(address) !== undefined) return label === '' ? address : link(label, address)
  return inline(label || address.replace(/^(?:mailto|tel):/i, ''))
}

/** `<!here>`, `<!subteam^S1|@team>`, `<!date^1700000000^{date}|14 November>` */
function commandOf(command: string, label: string): string {
  const [name = '', argument = ''] = command.split('^')
  if (name === 'date' && /^\d{1,11}$/.test(argument)) {
    return `<time:${new Date(Number(argument) * 1000).toISOString()}>`
  }
  return `@${inline(label || name).replace(/^@/, '')}`
}

function decode(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
