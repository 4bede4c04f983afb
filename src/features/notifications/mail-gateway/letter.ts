import type { Address } from 'postal-mime'
import { hasReplySubject } from './body.ts'
import { parseMail } from './mime.ts'

/** The parts of a mail that become a message. */
export interface Letter {
  readonly subject: string
  /** The claimed sender, as `Name <address>`. It proves nothing. */
  readonly from: string
  readonly text: string | undefined
  readonly html: string | undefined
  readonly attachments: readonly { readonly name: string; readonly contents: Uint8Array }[]
  /** Whether it answers a mail, as its headers or its subject say. */
  readonly isAnswer: boolean
  /** Whether it is an automatic answer, or a report about a mail. */
  readonly isAutomatic: boolean
  /** Its mailing list, as in `List-Id`; empty: none. */
  readonly listId: string
}

/** How much of a header counts, in UTF-16 code units; the rest is ignored. */
const longestHeader = 1000
/** The most attachments that are used: the first ones. */
const mostAttachments = 20

/**
 * Reads the source of a mail.
 *
 * @param isReport whether its envelope names no sender, as of reports about mail
 * @throws UnreadableMail
 */
export async function readLetter(source: Uint8Array, isReport: boolean): Promise<Letter> {
  const email = await parseMail(source)
  const header = (name: string) =>
    (email.headers.find(({ key }) => key === name)?.value ?? '').slice(0, longestHeader)
  const attachments = email.attachments
    .filter(({ related, content }) => !related && byteLength(content) > 0)
    .slice(0, mostAttachments)
  return {
    subject: (email.subject ?? '').slice(0, longestHeader),
    from: fromOf(email.from),
    text: email.text,
    html: email.html,
    attachments: attachments.map(({ filename, mimeType, content }) => ({
      name: filename ?? (mimeType === 'message/rfc822' ? 'mail.eml' : ''),
      contents: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
    })),
    isAnswer:
      header('in-reply-to') !== '' ||
      header('references') !== '' ||
      hasReplySubject(email.subject ?? ''),
    isAutomatic:
      isReport ||
      !/^(no\b|$)/i.test(header('auto-submitted').trim()) ||
      /^(auto_reply|bulk|junk)/i.test(header('precedence').trim()) ||
      header('x-autoreply') !== '' ||
      header('x-autorespond') !== '',
    listId: /<([^<>]*)>/.exec(header('list-id'))?.[1] ?? '',
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
