import type { App } from '#client/app.ts'
import { usePins } from '#client/commands/pins.ts'
import type { Conversation } from '#client/state/model.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'
import { PinList } from './pin-list.tsx'

interface PinsDialogProps {
  readonly app: App
  readonly conversation: Conversation
  readonly onClose: () => void
}

/** The pinned messages of a conversation. */
export function PinsDialog({ app, conversation, onClose }: PinsDialogProps) {
  const pins = usePins(app, conversation)
  return (
    <Dialog title={t('Pinned messages')} size="small" onClose={onClose}>
      {pins.length > 0 ? (
        <PinList pins={pins} onFollow={onClose} />
      ) : (
        <p class="field-help">
          {t('Nothing is pinned here. A message can be pinned in its menu.')}
        </p>
      )}
    </Dialog>
  )
}
