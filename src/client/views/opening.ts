import type { App } from '#client/app.ts'
import type { Anchor } from '#client/lists/message-list.ts'
import type { Narrow } from '#client/narrow/narrow.ts'
import type { ScrollAnchor } from './dom-window.ts'
import { currentEntry, scrollAnchorOf } from './scroll-anchors.ts'

/** The position at which a list opens. */
export interface Opening {
  readonly anchor: Anchor
  /** Where the user left it, if they go back to it. */
  readonly left: ScrollAnchor | undefined
}

/**
 * The position at which a list opens: where the user left it, at a message, at the first unread
 * one, or at the end.
 *
 * @param near the linked message
 * @param entry the mark of the entry of the history
 */
export function openingOf(narrow: Narrow, near: number | undefined, entry: string): Opening {
  const left = scrollAnchorOf(entry)
  const held = left?.rows[0]
  if (held) return { anchor: { at: 'message', id: held.id }, left }
  if (near !== undefined) return { anchor: { at: 'message', id: near }, left }
  return { anchor: { at: opensAtEnd(narrow) ? 'newest' : 'first-unread' }, left }
}

/** Views that do not mark messages as read, so that unread ones do not determine the position. */
export function opensAtEnd({ kind }: Narrow): boolean {
  return kind === 'search' || kind === 'starred' || kind === 'mentions' || kind === 'reactions'
}

/**
 * Requests the messages of the open view before drawing it, which takes as long as the answer.
 *
 * @returns resolves once they are there, or cannot be had
 */
export async function openAhead({ router, openList }: Pick<App, 'router' | 'openList'>) {
  const view = router.view.peek()
  if (view.kind !== 'messages') return
  await openList(view.narrow).open(openingOf(view.narrow, view.near, currentEntry()).anchor)
}
