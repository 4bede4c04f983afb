import { signal } from '@preact/signals'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { t } from '#client/ui/t.ts'

/** A user who has sent this many messages knows how. */
const enough = 5
const storageKey = 'parley:sends'

const sends = signal(stored())

function stored(): number {
  try {
    return Number(localStorage.getItem(storageKey) ?? 0)
  } catch {
    return 0
  }
}

/** Counts a message that was sent from this browser. */
export function countSend(): void {
  if (sends.peek() >= enough) return
  sends.value += 1
  try {
    localStorage.setItem(storageKey, String(sends.peek()))
  } catch {
    // Without storage the hint comes back with the next start.
  }
}

/** Says which key sends, to people who have not sent much yet, and offers the other one. */
export function SendKeyHint() {
  const app = useApp()
  const { enter_sends } = app.store.settings.value
  if (sends.value >= enough) return null
  const change = () => void attempt(app, app.changes.changeSetting('enter_sends', !enter_sends))
  return (
    <span class="compose-hint">
      <span>
        {enter_sends ? t('Enter sends') : t('Ctrl+Enter sends')}
        {' · '}
        <button type="button" class="link-button" onClick={change}>
          {enter_sends ? t('Use Ctrl+Enter') : t('Use Enter')}
        </button>
      </span>
    </span>
  )
}
