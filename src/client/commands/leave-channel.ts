import type { App } from '#client/app.ts'
import type { Channel } from '#client/state/model.ts'
import { t } from '#client/ui/t.ts'
import { openConfirm } from './confirm-dialog.tsx'
import { unsubscribe } from './subscriptions.ts'

/** Unsubscribes from a channel; asks first if the user may not be able to come back. */
export async function leaveChannel(app: App, { id, name, isPrivate }: Channel): Promise<void> {
  if (!isPrivate) return await unsubscribe(app, id)
  openConfirm({
    title: t('Unsubscribe from {channel}', { channel: name }),
    text: t('This channel is private. You may not be able to rejoin on your own.'),
    action: t('Unsubscribe'),
    run: () => unsubscribe(app, id),
  })
}
