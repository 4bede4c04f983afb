import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Address, Email, RawEmail } from 'postal-mime'

/** A mail, as far as it becomes a message. */
export interface Letter {
  readonly subject: string
  /** Who it says to be from, as `Name <address>`. Proves nothing. */
  readonly from: string
  readonly text: string | undefined
  readonly html: string | undefined
  readonly attachments: readonly { readonly name: string; readonly contents: Uint8Array }[]
  /** As its sender names it; empty: not at all. */
  readonly messageId: string
  /** Whether a program answered by itself, or it is a report about a mail. */
  readonly isAutomatic: boolean
  /** Its mailing list, as in `List-Id`; empty: none. */
  readonly listId: string
}

/** How long to work at a time before others have their turn, in milliseconds. */
const turnMs = 5
/** Of longer headers the beginning counts, in UTF-16 code units. */
const longestHeader = 1000
/** Of more attachments, the first ones are taken. */
const mostAttachments = 20

/**
 * Reads the source of a mail. Whatever it is, some letter comes out.
 *
 * @param isReport whether its envelope names no sender, as of reports about mail
 */
export async function readLetter(source: Uint8Array, isReport: boolean): Promise<Letter> {
  const email = await parsePatiently(source)
  const header = (name: string) =>
    (email.headers.find(({ key }) => key === name)?.value ?? '').slice(0, longestHeader)
  const attachments = email.attachments
    .filter(({ related, content }) => !related && byteLength(content) > 0)
    .slice(0, mostAttachments)
  return {
    subject: (email.subject ?? '').slice(0, longestHeader),
    messageId: email.messageId ?? '',
    from: fromOf(email.from),
    text: email.text,
    html: email.html,
    attachments: attachments.map(({ filename, content }) => ({
      name: filename ?? '',
      contents: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
    })),
    isAutomatic:
      isReport ||
      !/^(no\b|$)/i.test(header('auto-submitted').trim()) ||
      /^(auto_reply|bulk|junk)/i.test(header('precedence').trim()) ||
      header('x-autoreply') !== '' ||
      header('x-autorespond') !== '',
    listId: /<([^>]*)>/.exec(header('list-id'))?.[1] ?? '',
  }
}

function byteLength(content: string | ArrayBuffer | Uint8Array): number {
  return typeof content === 'string' ? content.length : content.byteLength
}

function fromOf(from: Address | undefined): string {
  if (!from?.address) return ''
  const name = from.name
    .slice(0, longestHeader)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  return name === '' ? from.address : `${name} <${from.address}>`
}

/** The part of the parser that takes a line. Its types do not tell. */
interface LineParser {
  processLine(line: Uint8Array, isFinal: boolean): Promise<void>
  parse(source: RawEmail): Promise<Email>
}

/** Parses a mail line by line, and lets others have their turn in between. */
async function parsePatiently(source: Uint8Array): Promise<Email> {
  const { default: PostalMime } = await import('postal-mime')
  const parser = new PostalMime({
    maxNestingDepth: 50,
    maxHeadersSize: 128 * 1024,
  }) as unknown as LineParser
  const take = parser.processLine.bind(parser)
  let began = performance.now()
  parser.processLine = async (line, isFinal) => {
    await take(line, isFinal)
    if (performance.now() - began < turnMs) return
    await nextTurn()
    began = performance.now()
  }
  return await parser.parse(source)
}
