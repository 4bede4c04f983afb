import { Reply } from 'lucide'
import { openMessageMenu } from '#client/actions/message-menu.tsx'
import type { App } from '#client/app.ts'
import { replyQuoting } from '#client/messages/quote.ts'
import { pointing } from '#client/ui/icon.tsx'
import { followLongPresses } from './long-press.ts'
import { followPulls } from './pulls.ts'

const replyIcon = pointing(Reply)

const acting =
  'a[href], button, input, textarea, select, video, audio, [role="button"], [data-selecting]'

/**
 * Handles fingers on rows of messages: resting opens the menu, pulling a row answers.
 *
 * @param onRow called with the row that a finger rests on
 * @param signal stops it
 */
export function followFingers(
  app: App,
  element: HTMLElement,
  onRow: (messageId: number) => void,
  signal: AbortSignal,
): void {
  followLongPresses(
    element,
    {
      // Controls are left to the browser, and so is text that is being selected.
      rowUnder: (target) => (target.closest(acting) ? undefined : rowOf(target)),
      onHold(row) {
        onRow(idOf(row))
        navigator.vibrate?.(10)
      },
      onLift: (row, left, top) =>
        openMessageMenu(app, idOf(row), { left, top, width: 0, height: 0 }),
    },
    signal,
  )
  followPulls(
    element,
    {
      rowUnder: (target) =>
        target.closest('[data-selecting], .edit-box') ? undefined : rowOf(target),
      icon: replyIcon,
      onPull(row) {
        const message = app.store.messages.peek(idOf(row))
        if (message) void replyQuoting(app, message)
      },
    },
    signal,
  )
}

function rowOf(target: Element): HTMLElement | undefined {
  return target.closest<HTMLElement>('[data-message-id]') ?? undefined
}

const idOf = (row: HTMLElement): number => Number(row.dataset.messageId)
