import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { summaryOf } from '#client/messages/summary.ts'
import { senderName } from '#client/state/names.ts'
import { t, tn } from '#client/ui/t.ts'

/** Messages that arrive within this time are announced together, in milliseconds. */
const collecting = 1000

/** The most characters of a message that are read out. */
const most = 200

const text = signal('')
/** What became of the user's own messages. */
const sent = signal('')
/** The same words once more are read out only where something differs. */
const again = ['', '\u00a0']

/** Tells screen readers politely of messages that arrive in the view that is shown, and of one's own. */
export function Announcer() {
  const app = useApp()
  useEffect(() => {
    let waiting: string[] = []
    let count = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const say = () => {
      timer = undefined
      const [only] = waiting
      text.value =
        waiting.length === 1 && only !== undefined
          ? only
          : tn(waiting.length, 'One new message', '{count} new messages')
      waiting = []
    }
    const stop = app.store.onMessages((change) => {
      if (change.kind !== 'new') return
      const { message, localId } = change
      if (message.senderId === app.store.selfId) {
        // What this user sends elsewhere is no news to them.
        if (localId !== undefined) sent.value = t('Message sent.') + again[count++ % 2]
        return
      }
      // The list takes the message in after this.
      queueMicrotask(() => {
        if (!app.pane.peek()?.list.ids.peek().includes(message.id)) return
        const content = summaryOf(message).slice(0, most)
        waiting.push(t('{name}: {content}', { name: senderName(message, app.store), content }))
        timer ??= setTimeout(say, collecting)
      })
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [app])
  return (
    <>
      <div class="visually-hidden" role="log" aria-live="polite" aria-label={t('New messages')}>
        {text.value}
      </div>
      <div class="visually-hidden" role="status">
        {sent.value}
      </div>
    </>
  )
}
