import { CallError } from '#client/api/api.ts'
import type { App } from '#client/app.ts'
import { lookUpMessage } from '#client/lists/one-message.ts'
import { followMessage } from '#client/narrow/follow.ts'
import { isPassing } from '#client/state/machine.ts'
import type { Message } from '#client/state/model.ts'
import { t } from '#client/ui/t.ts'
import type { OpenPane } from './open-pane.ts'
import { forgetScrollAnchor } from './scroll-anchors.ts'

type Parts = Pick<App, 'store' | 'api' | 'pane' | 'router' | 'notify'>

/**
 * Goes to the topic of the linked message if it was moved, and says so if it is gone: what is shown
 * instead is another part of the conversation.
 *
 * @param pane shows the narrow of the link, without the message
 */
export async function followNamed(app: Parts, pane: OpenPane, near: number): Promise<void> {
  let message: Message | undefined
  try {
    message = await lookUpMessage(app, near)
  } catch (error) {
    // Without a network, the list says that it could not be loaded.
    const isGone = error instanceof CallError && !isPassing(error) && error.status !== 401
    if (isGone && app.pane.peek() === pane) {
      app.notify(t('The linked message was deleted, or you do not have access to it.'), 'error')
    }
    return
  }
  const narrow = followMessage(pane.list.narrow, message?.conversation)
  if (!narrow || app.pane.peek() !== pane) return
  forgetScrollAnchor(pane.entry)
  app.router.go({ kind: 'messages', narrow, near }, { replace: true })
}
