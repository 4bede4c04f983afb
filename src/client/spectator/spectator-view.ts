import { type Lookups, parseHash } from '#client/narrow/hash.ts'
import type { Narrow, Term } from '#client/narrow/narrow.ts'
import { term, termsOf } from '#client/narrow/terms.ts'

/** The views for people without an account. */
export type SpectatorView =
  | {
      readonly kind: 'open'
      readonly narrow: OpenNarrow
      /** The message to open it at. */
      readonly near: number | undefined
    }
  /** The target of the link needs an account, or does not exist. */
  | { readonly kind: 'closed' }

export type OpenNarrow = Extract<Narrow, { kind: 'all' | 'channel' | 'topic' }>

/** Nobody's id. */
export const noUser = 0

/** The view of a link for people without an account. @param known all that they may see */
export function spectatorViewOf(hash: string, known: Lookups): SpectatorView {
  const { view, overlay } = parseHash(hash, known)
  if (overlay) return { kind: 'closed' }
  if (view === undefined || view.kind === 'inbox' || view.kind === 'recent') return start
  if (view.kind === 'topics') return openView({ kind: 'channel', channelId: view.channelId }, known)
  return view.kind === 'messages' ? openView(view.narrow, known, view.near) : { kind: 'closed' }
}

const start: SpectatorView = { kind: 'open', narrow: { kind: 'all' }, near: undefined }

function openView(narrow: Narrow, { channels }: Lookups, near?: number): SpectatorView {
  const isOpen =
    narrow.kind === 'all' ||
    ((narrow.kind === 'channel' || narrow.kind === 'topic') &&
      channels.peek(narrow.channelId) !== undefined)
  return isOpen ? { kind: 'open', narrow, near } : { kind: 'closed' }
}

/** The terms of a narrow for `GET /messages` without an account. */
export function openTerms(narrow: OpenNarrow): readonly Term[] {
  return [term('channels', 'web-public'), ...termsOf(narrow, noUser)]
}
