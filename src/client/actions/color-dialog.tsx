import type { App } from '#client/app.ts'
import { setSubscription } from '#client/commands/subscriptions.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'

/** As distinguishable as possible for people with any color vision. */
const colors = [
  '#76ce90',
  '#1f7a4d',
  '#a6dcbf',
  '#94c849',
  '#fae589',
  '#f5ce6e',
  '#e79ab5',
  '#c8bebf',
  '#ee7e4a',
  '#c6a8ad',
  '#b0a5fd',
  '#9987e1',
  '#7f6ff0',
  '#bfd56f',
  '#4f8de4',
  '#5a9fe8',
  '#0e7c86',
  '#a47462',
  '#d1484f',
  '#53647a',
]

interface ColorDialogProps {
  readonly app: App
  readonly channelId: number
  readonly onClose: () => void
}

/** Chooses the color of a channel, only for the user. */
export function ColorDialog({ app, channelId, onClose }: ColorDialogProps) {
  const current = app.store.subscriptions.get(channelId)?.color.toLowerCase()
  const choose = (color: string) => {
    void setSubscription(app, channelId, 'color', color)
    onClose()
  }
  return (
    <Dialog
      title={t('Color of {channel}', { channel: app.store.channels.get(channelId)?.name ?? '' })}
      size="small"
      onClose={onClose}
    >
      <div class="colours">
        {colors.map((color) => (
          <button
            key={color}
            type="button"
            class="colour"
            aria-label={color}
            aria-pressed={color === current}
            ref={(button) => button?.style.setProperty('--colour', color)}
            onClick={() => choose(color)}
          />
        ))}
        <label class="row colour-own">
          {t('Another one')}
          <input
            type="color"
            value={current ?? '#76ce90'}
            onChange={(event) => choose(event.currentTarget.value)}
          />
        </label>
      </div>
    </Dialog>
  )
}
