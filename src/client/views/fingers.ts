import { openMessageMenu } from '#client/actions/message-menu.tsx'
import type { App } from '#client/app.ts'
import { replyQuoting } from '#client/commands/message-actions.ts'
import { followLongPresses } from './long-press.ts'
import { followReplySwipes } from './reply-swipe.ts'

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
      onHold(id) {
        onRow(id)
        navigator.vibrate?.(10)
      },
      onLift: (id, left, top) => openMessageMenu(app, id, { left, top, width: 0, height: 0 }),
    },
    signal,
  )
  followReplySwipes(
    element,
    (id) => {
      const message = app.store.messages.peek(id)
      if (message) void replyQuoting(app, message)
    },
    signal,
  )
}
