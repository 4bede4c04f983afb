import { perDatabase } from '#platform/store/per-database.ts'
import type { Read } from '#platform/store/store.ts'
import type { Mail } from './frame.ts'

/** A mail that was kept instead of being sent. */
export interface KeptMail {
  /** Counts from 1. */
  readonly id: number
  /** In seconds since the epoch. */
  readonly sentAt: number
  readonly from: string
  readonly to: string
  readonly subject: string
  /** Further headers, by name. */
  readonly headers: NonNullable<Mail['headers']>
  readonly text: string
  readonly html: string
}

/** How many mails are kept, the newest ones, and how long they are together, in characters. */
const mostKept = 500
const mostCharacters = 20_000_000

const kept = perDatabase(() => ({ next: 1, characters: 0, mails: [] as KeptMail[] }))

/** Keeps a mail in memory. The oldest ones make room for it. */
export function keepMail(read: Read, mail: Omit<KeptMail, 'id'>): void {
  const state = kept(read)
  state.mails.push({ ...mail, id: state.next++ })
  state.characters += sizeOf(mail)
  while (state.mails.length > mostKept || state.characters > mostCharacters) {
    const oldest = state.mails.shift()
    if (!oldest) return
    state.characters -= sizeOf(oldest)
  }
}

/** The kept mails, the oldest first. */
export function listKeptMails(read: Read): readonly KeptMail[] {
  return kept(read).mails
}

const sizeOf = ({ text, html }: Pick<KeptMail, 'text' | 'html'>) => text.length + html.length
