import { X } from 'lucide'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { IconButton } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import { isSendKeyNew, learnSendKey } from './send-counts.ts'

/** Says which key sends, to people who have not sent much yet and press Enter, and offers the other one. */
export function SendKeyHint() {
  const app = useApp()
  const { enter_sends } = app.store.settings.value
  if (!isSendKeyNew()) return null
  const change = () => void attempt(app, app.changes.changeSetting('enter_sends', !enter_sends))
  return (
    <div class="row compose-hint">
      <span>{enter_sends ? t('Enter sends') : t('Ctrl+Enter sends')}</span>
      <button type="button" class="link-button" onClick={change}>
        {enter_sends ? t('Use Ctrl+Enter') : t('Use Enter')}
      </button>
      <IconButton label={t('Dismiss')} icon={X} size={14} onClick={learnSendKey} />
    </div>
  )
}
