import { useState } from 'preact/hooks'
import { attempt } from '#client/actions/attempt.ts'
import { isoLocal, nextMoments, shortMoment } from '#client/actions/moments.ts'
import { type App, conversationOf } from '#client/app.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'
import { cleaned } from './send.ts'

interface SendLaterDialogProps {
  readonly app: App
  readonly onClose: () => void
}

/** Asks when the message in the compose box should be sent. */
export function SendLaterDialog({ app, onClose }: SendLaterDialogProps) {
  const [own, setOwn] = useState(() => isoLocal(new Date(Date.now() + 3600_000)))
  const [isBusy, setBusy] = useState(false)

  async function schedule(at: Date): Promise<void> {
    const { target, text } = app.compose.state.peek()
    const conversation = conversationOf(cleaned(target))
    if (!conversation) return
    setBusy(true)
    const to =
      conversation.kind === 'topic'
        ? { type: 'channel', to: conversation.channelId, topic: conversation.topic }
        : { type: 'direct', to: conversation.userIds }
    const reply = await attempt(
      app,
      app.api.post('/scheduled_messages', {
        ...to,
        content: text,
        scheduled_delivery_timestamp: Math.floor(at.getTime() / 1000),
      }),
    )
    setBusy(false)
    if (!reply) return
    app.compose.setText('')
    app.notify(t('It will be sent {when}.', { when: shortMoment(at) }))
    onClose()
  }

  return (
    <Dialog title={t('Send later')} size="small" onClose={onClose}>
      <div class="form">
        <div class="moment-rows">
          {nextMoments().map(({ label, at }) => (
            <Button key={label} isBusy={isBusy} onClick={() => void schedule(at)}>
              <span class="moment-label">{label}</span>
              <span class="moment-time">{shortMoment(at)}</span>
            </Button>
          ))}
        </div>
        <form
          class="moment-own"
          onSubmit={(event) => {
            event.preventDefault()
            void schedule(new Date(own))
          }}
        >
          <input
            class="input"
            type="datetime-local"
            required
            aria-label={t('Time')}
            min={isoLocal(new Date())}
            value={own}
            onInput={(event) => setOwn(event.currentTarget.value)}
          />
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {t('Schedule')}
          </Button>
        </form>
        <p class="field-help">
          <a href={app.router.href({ kind: 'scheduled' })} onClick={onClose}>
            {t('Scheduled messages')}
          </a>
        </p>
      </div>
    </Dialog>
  )
}
