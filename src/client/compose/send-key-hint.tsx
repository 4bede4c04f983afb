import { signal } from '@preact/signals'
import { X } from 'lucide'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { localValues } from '#client/ui/browser-storage.ts'
import { IconButton } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'

/** A user who has sent this many messages knows how. */
const enough = 5
const storageKey = 'parley:sends'

const sends = signal(Number(localValues.getItem(storageKey) ?? 0))

/** Counts a message that was sent from this browser. */
export function countSend(): void {
  if (sends.peek() < enough) remember(sends.peek() + 1)
}

function remember(count: number): void {
  sends.value = count
  localValues.setItem(storageKey, String(count))
}

const isEnterUsed = signal(false)

/** The key was pressed in the box: now it matters what it does. */
export function noteEnter(): void {
  isEnterUsed.value = true
}

/** Says which key sends, to people who have not sent much yet and press Enter, and offers the other one. */
export function SendKeyHint() {
  const app = useApp()
  const { enter_sends } = app.store.settings.value
  if (!isEnterUsed.value || sends.value >= enough) return null
  const change = () => void attempt(app, app.changes.changeSetting('enter_sends', !enter_sends))
  return (
    <div class="row compose-hint">
      <span>{enter_sends ? t('Enter sends') : t('Ctrl+Enter sends')}</span>
      <button type="button" class="link-button" onClick={change}>
        {enter_sends ? t('Use Ctrl+Enter') : t('Use Enter')}
      </button>
      <IconButton label={t('Dismiss')} icon={X} size={14} onClick={() => remember(enough)} />
    </div>
  )
}
