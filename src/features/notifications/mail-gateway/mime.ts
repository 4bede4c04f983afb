import { isUtf8 } from 'node:buffer'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Email, RawEmail } from 'postal-mime'
import { turnMs } from '#platform/steps.ts'
import { type Allowance, createDecoder, type Decoder, limitDecoder } from './decoders.ts'

/** A mail that can never become a message, whoever sends it and however often. */
export class UnreadableMail extends Error {}

/** Beginnings and ends of parts, together. */
const mostBoundaries = 1000
const mostNested = 50
/** Twice as many as base64 makes of an upload. */
const mostLines = 1_000_000
const mostHeaderBytes = 128 * 1024
/** How much of a header is read; the rest is ignored. */
const longestHeader = 4096
/** How much is read of all text parts together, in bytes: a message is far shorter. */
const mostTextBytes = 512 * 1024
/** Headers that do not matter for a message, and may be long. */
const skipped = /^(?:to|cc|bcc|reply-to|sender|delivered-to|return-path|received)[ \t]*:/i

/** A part of a mail in the parser, which its types do not describe. */
interface Part {
  readonly state: 'header' | 'body' | 'finished'
  readonly contentTransferEncoding: { readonly encoding: string }
  readonly contentType: { readonly parsed: { readonly params: { charset?: string } } }
  contentDecoder: Decoder | null
}

/** The parts of the parser that take a line. Its types do not tell. */
interface LineParser {
  readonly currentNode: Part
  isInlineTextNode(part: Part): boolean
  processLine(line: Uint8Array, isFinal: boolean): Promise<void>
  parse(source: RawEmail): Promise<Email>
}

/**
 * Parses a mail line by line, and lets others have their turn in between. A mail that is attached
 * to it stays an attachment.
 *
 * The parser's data for a line can take a hundred times its memory, and some of its steps take time
 * in proportion to the mail, so parts, lines, headers and text are limited here.
 *
 * @throws UnreadableMail it has too many parts, lines or headers, or is nested too deeply
 */
export async function parseMail(source: Uint8Array): Promise<Email> {
  const { default: PostalMime } = await import('postal-mime')
  const parser = new PostalMime({
    maxNestingDepth: mostNested,
    maxHeadersSize: mostHeaderBytes,
    forceRfc822Attachments: true,
  }) as unknown as LineParser
  const take = parser.processLine.bind(parser)
  const shorten = createHeaderFilter()
  const text: Allowance = { left: mostTextBytes }
  const known = new WeakSet<Part>()
  let [lines, boundaries] = [0, 0]
  let began = performance.now()

  parser.processLine = async (line, isFinal) => {
    lines += 1
    if (lines > mostLines) throw new UnreadableMail('The mail has too many lines.')
    const part = parser.currentNode
    const kept = part.state === 'header' ? shorten(line) : line
    if (kept || isFinal) await take(kept ?? new Uint8Array(), isFinal)
    if (parser.currentNode !== part) boundaries += 1
    if (boundaries > mostBoundaries) throw new UnreadableMail('The mail has too many parts.')
    if (part.state === 'body' && part.contentDecoder && !known.has(part)) {
      known.add(part)
      const isText = parser.isInlineTextNode(part)
      bound(part, isText ? text : { left: Number.POSITIVE_INFINITY })
      if (isText) findCharset(part, text)
    }
    if (performance.now() - began < turnMs) return
    await nextTurn()
    began = performance.now()
  }
  try {
    return await parser.parse(source)
  } catch (error) {
    const isLimit = error instanceof Error && error.message.startsWith('Maximum ')
    throw isLimit
      ? new UnreadableMail('The mail has too many headers or is nested too deeply.')
      : error
  }
}

/** Exchanges the decoder of a part for one that needs no more memory than its contents. */
function bound(part: Part, allowance: Allowance): void {
  const { encoding } = part.contentTransferEncoding
  if (!part.contentDecoder) return
  part.contentDecoder = /quoted-printable/i.test(encoding)
    ? limitDecoder(part.contentDecoder, allowance)
    : createDecoder(/base64/i.test(encoding), allowance)
}

/** What programs say of text in any encoding, if they say something. */
const vagueCharset = /^(?:us-ascii|ascii|utf-?8|unknown(?:-8bit)?|8bit|default)?$/i
const western = 'windows-1252'

/** Has the text of a part that is not in the encoding it names, or names none, decide by its bytes. */
function findCharset(part: Part, allowance: Allowance): void {
  const decoder = part.contentDecoder
  if (!decoder) return
  part.contentDecoder = {
    update: (line) => decoder.update(line),
    async finalize() {
      const content = await decoder.finalize()
      const { params } = part.contentType.parsed
      // Text that was cut may end within a character.
      if (allowance.left > 0 && vagueCharset.test(params.charset ?? ''))
        params.charset = isUtf8(new Uint8Array(content)) ? 'utf-8' : western
      return content
    },
  }
}

/** Leaves out headers that nobody reads, and the rest of long ones. @returns undefined: all of the line */
function createHeaderFilter(): (line: Uint8Array) => Uint8Array | undefined {
  let left = 0
  return (line) => {
    if (line.byteLength === 0) return line
    const isContinued = line[0] === 0x20 || line[0] === 0x09
    if (!isContinued) {
      const start = Buffer.from(line.buffer, line.byteOffset, Math.min(line.byteLength, 32))
      left = skipped.test(start.toString('latin1')) ? 0 : longestHeader
    }
    const kept = left > 0 ? line.subarray(0, left) : undefined
    left = Math.max(left - line.byteLength, 0)
    if (!kept || isUtf8(line)) return kept
    return Buffer.from(new TextDecoder(western).decode(kept))
  }
}
