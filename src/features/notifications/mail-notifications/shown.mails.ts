import type { Message } from '#features/foundation/core/queries.ts'
import type { Part } from '#features/foundation/mail/frame.ts'
import { canAccessUser } from '#features/foundation/users/access.ts'
import { unknownSenderFacts } from '#features/foundation/users/json.ts'
import { userLanguage } from '#features/foundation/users/language.queries.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { escapeHtml } from '#platform/markdown/escape.ts'
import type { Read } from '#platform/store/store.ts'
import type { Translator } from '#translations/translate.ts'
import { plainText } from './source.ts'

/** Converts the HTML of a message for mail: `loadMessageHtml`. */
export type ToMailHtml = (rendered: string, realmUrl: string, reader: MailReader) => string

/** The language and time zone of times. */
export interface MailReader {
  readonly language: Pick<Translator, 'language'>
  /** '': UTC. */
  readonly timezone: string
}

/** A mail shows the newest messages of a conversation, within both limits; sizes in characters. */
const mostShown = 50
const mostCharacters = 100_000

/** The newest of these messages, each with its sender unless that is the one before. */
export function shownMessages(
  read: Read,
  reader: User,
  messages: readonly Message[],
  realmUrl: string,
  toHtml: ToMailHtml,
): Part[] {
  const language = userLanguage(read, reader)
  const shown: { senderId: number; text: string; html: string }[] = []
  let size = 0
  for (const { senderId, content, renderedContent } of messages.slice(-mostShown).reverse()) {
    const text = plainText(content, realmUrl)
    const html = toHtml(renderedContent, realmUrl, { language, timezone: reader.timezone })
    size += text.length + html.length
    if (size > mostCharacters && shown.length > 0) break
    shown.unshift({ senderId, text, html })
  }
  const left = messages.length - shown.length
  const parts = shown.map(({ senderId, text, html }, i): Part => {
    const said = `<div>\n${html}\n</div>`
    if (shown[i - 1]?.senderId === senderId) return { text, html: said }
    const name = nameOf(read, reader, senderId)
    const heading = `<p class="who" style="font-weight:600">${escapeHtml(name)}</p>`
    return { text: `${name}:\n${text}`, html: `${heading}\n${said}` }
  })
  if (left === 0) return parts
  return [
    language.t('Earlier messages that this email does not show: {count}.', { count: left }),
    ...parts,
  ]
}

/** The name of a user that the reader may see. */
export function nameOf(read: Read, reader: User, userId: number): string {
  const user = findUser(read, userId)
  return user && canAccessUser(read, reader, user)
    ? user.fullName
    : unknownSenderFacts(read, userId).sender_full_name
}
