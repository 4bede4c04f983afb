import type { App } from '#client/app.ts'
import { MomentPicker } from '#client/commands/moment-picker.tsx'
import { pauseMoments } from '#client/commands/moments.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'
import { pauseNotifications } from './pause.ts'

interface PauseDialogProps {
  readonly app: App
  readonly onClose: () => void
}

/** Asks how long to pause notifications. */
export function PauseDialog({ app, onClose }: PauseDialogProps) {
  async function pause(at: Date): Promise<void> {
    if (await pauseNotifications(app, Math.floor(at.getTime() / 1000))) onClose()
  }
  return (
    <Dialog title={t('Pause notifications')} size="small" onClose={onClose}>
      <div class="form">
        <p class="field-help">
          {t('On all your devices. Emails about messages come when the pause ends.')}
        </p>
        <MomentPicker moments={pauseMoments()} action={t('Pause')} onPick={pause} />
        <p class="field-help">
          <a
            href={app.router.href({ kind: 'settings', area: 'personal', path: ['notifications'] })}
            onClick={onClose}
          >
            {t('Quiet hours')}
          </a>
        </p>
      </div>
    </Dialog>
  )
}
