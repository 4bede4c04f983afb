import { mendedName } from '#shared/names.ts'
import { stripReply } from './quotes.ts'

/** Prefixes of subjects that do not belong to the topic. */
const prefixes = /^(?:\s*(?:re|aw|sv|fwd?|wg)(?:\[\d+\])?\s*:)+\s*/i
/** How much of a mail is read, in UTF-16 code units: messages are much shorter. */
const longestText = 200_000
const nothing = '(No email body)'
const truncated = '\n[message truncated]'

/** Whether a subject begins as that of a reply. */
export function hasReplySubject(subject: string): boolean {
  return /^\s*(?:re|aw|sv)(?:\[\d+\])?\s*:/i.test(subject)
}

/** Whether a mail forwards another, whose text is then wanted. */
export function isForwarded(subject: string): boolean {
  return /^\s*(?:fwd?|wg)(?:\[\d+\])?\s*:/i.test(subject)
}

/**
 * The topic of a mail to a channel.
 *
 * @param longest in code points
 */
export function topicOf(subject: string, longest: number): string {
  return mendedName(subject.replace(prefixes, ''), longest) || 'Email with no subject'
}

/** Without quotes and the part after `--`, unless these are wanted. */
export function wordsOf(
  text: string,
  {
    includeQuotes,
    includeFooter,
  }: { readonly includeQuotes: boolean; readonly includeFooter: boolean },
): string {
  const plain = text
    .slice(0, longestText)
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '')
  const strip = includeQuotes ? (words: string) => words : stripReply
  const own = strip(plain)
  // The footer may stand below the quote.
  return (includeFooter ? own : strip(withoutFooter(own))).trim()
}

/** Cuts the part after a line of two hyphens, if there is only one such line. */
function withoutFooter(text: string): string {
  const lines = text.split('\n')
  const ends = lines.flatMap((line, i) => (/^--\s*$/.test(line) ? [i] : []))
  return ends.length === 1 ? lines.slice(0, ends[0]).join('\n') : text
}

/**
 * The content of the message.
 *
 * @param before lines above the words
 * @param links to the attachments
 * @param longest in code points
 */
export function contentOf(
  words: string,
  before: readonly string[],
  links: readonly string[],
  longest: number,
): string {
  const start = before.map((line) => `${line}\n`).join('')
  const end = links.length > 0 ? `\n\n${links.join('\n')}` : ''
  const room = longest - [...start].length - [...end].length
  const points = [...(words || (links.length > 0 ? '' : nothing))]
  const body =
    points.length <= room
      ? points.join('')
      : points.slice(0, Math.max(room - truncated.length, 0)).join('') + truncated
  return `${start}${body}${end}`.trim()
}
