import type { App } from '#client/app.ts'
import { attempt, tellWithUndo } from '#client/commands/attempt.ts'
import { MomentPicker } from '#client/commands/moment-picker.tsx'
import { shortMoment } from '#client/commands/moments.ts'
import { conversationOf } from '#client/state/compose-target.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'
import { cleaned } from './send.ts'

interface SendLaterDialogProps {
  readonly app: App
  readonly onClose: () => void
}

/** Asks when the message in the compose box should be sent. */
export function SendLaterDialog({ app, onClose }: SendLaterDialogProps) {
  async function schedule(at: Date): Promise<void> {
    const { target, text } = app.compose.state.peek()
    const conversation = conversationOf(cleaned(target))
    if (!conversation) return
    const to =
      conversation.kind === 'topic'
        ? { type: 'channel', to: conversation.channelId, topic: conversation.topic }
        : { type: 'direct', to: conversation.userIds }
    const reply = await attempt(
      app,
      app.api.post<{ scheduled_message_id: number }>('/scheduled_messages', {
        ...to,
        content: text,
        scheduled_delivery_timestamp: Math.floor(at.getTime() / 1000),
      }),
    )
    if (!reply) return
    app.compose.setText('')
    onClose()
    tellWithUndo(app, t('It will be sent {when}.', { when: shortMoment(at) }), async () => {
      await app.api.delete(`/scheduled_messages/${reply.scheduled_message_id}`)
      app.compose.open(target, { text })
    })
  }

  return (
    <Dialog title={t('Send later')} size="small" onClose={onClose}>
      <div class="form">
        <MomentPicker action={t('Schedule')} onPick={schedule} />
        <p class="field-help">
          <a href={app.router.href({ kind: 'scheduled' })} onClick={onClose}>
            {t('Scheduled messages')}
          </a>
        </p>
      </div>
    </Dialog>
  )
}
