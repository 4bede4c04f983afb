import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { wordsOf } from '#client/lists/words.ts'
import { senderName } from '#client/state/names.ts'
import { t, tn } from '#client/ui/t.ts'

/** Messages that arrive within so long are announced together, in milliseconds. */
const collecting = 1000

/** So many characters of a message are read out. */
const most = 200

const text = signal('')

/** Tells screen readers politely of messages that arrive in the view that is shown. */
export function Announcer() {
  const app = useApp()
  useEffect(() => {
    let waiting: string[] = []
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
      if (change.kind !== 'new' || change.message.senderId === app.store.selfId) return
      const { message } = change
      // The list takes the message in after this.
      queueMicrotask(() => {
        if (!app.pane.peek()?.list.ids.peek().includes(message.id)) return
        const content = wordsOf(message.html).slice(0, most)
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
    <div class="visually-hidden" role="log" aria-live="polite" aria-label={t('New messages')}>
      {text.value}
    </div>
  )
}
