import { inline, link, webAddress } from '#webhooks/incoming/markdown.ts'
import { cleanText } from '#webhooks/text.ts'

/** Stand around the number of something that is put aside; no text of ours has them. */
const [open, close] = ['\ue000', '\ue001']

const codeOrTag = /```[\s\S]*?```|`[^`\n]+`|<([^<>\n]{1,4000})>/g
const marks = [
  [/(?<=^|[\s([{"'_~\ue001-])\*(?=\S)([^*\n]*?\S)\*(?=$|[\s)\]}.,;:!?"'_~\ue000-])/gm, '**$1**'],
  [/(?<=^|[\s([{"'*~\ue001-])_(?=\S)([^_\n]*?\S)_(?=$|[\s)\]}.,;:!?"'*~\ue000-])/gm, '*$1*'],
  [/(?<=^|[\s([{"'*\ue001-])~(?=\S)([^~\n]*?\S)~(?=$|[\s)\]}.,;:!?"'*\ue000-])/gm, '~~$1~~'],
] as const

/**
 * Slack's way of marking up text, as ours.
 *
 * @source Slack's documentation, "Formatting message text"
 */
export function fromMrkdwn(source: string): string {
  const aside: string[] = []
  const put = (markdown: string) => `${open}${aside.push(markdown) - 1}${close}`
  const text = cleanText(source).replace(/[\ue000\ue001]/g, '')
  const outlined = text.replace(codeOrTag, (match: string, tag: string | undefined) =>
    put(tag === undefined ? codeOf(match) : tagOf(tag)),
  )
  const marked = marks.reduce((line, [pattern, mark]) => line.replace(pattern, mark), outlined)
  const whole = decode(marked).replace(
    /\ue000(\d+)\ue001/g,
    (_, i: string) => aside[Number(i)] ?? '',
  )
  return withoutCalls(whole)
}

/** Slack's plain text, in which only emoji mean something. */
export function fromPlain(source: string): string {
  return withoutCalls(cleanText(source))
}

/** Nobody calls everybody from another service, on purpose or not. */
export function withoutCalls(markdown: string): string {
  return markdown.replace(/@(?=\*\*(?:all|everyone|channel|stream|topic)\*\*)/g, '@_')
}

/** A block of code begins and ends on lines of its own here. */
function codeOf(match: string): string {
  if (!match.startsWith('```')) return decode(match)
  const code = decode(match.slice(3, -3)).replace(/^\n|\n$/g, '')
  return `\n\`\`\`\n${code}\n\`\`\`\n`
}

/** What stands between angle brackets. */
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
  return inline(label || address.replace(/^mailto:/, ''))
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
