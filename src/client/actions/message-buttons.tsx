import type { ReadonlySignal } from '@preact/signals'
import { MoreHorizontal } from 'lucide'
import { useApp } from '#client/app-context.ts'
import type { Message } from '#client/state/model.ts'
import { IconButton } from '#client/ui/button.tsx'
import { lazy } from '#client/ui/lazy.tsx'
import { t } from '#client/ui/t.ts'
import { openMessageMenu } from './message-menu.tsx'

const QuickButtons = lazy(async () => (await import('./quick-buttons.tsx')).QuickButtons, {
  isOptional: true,
})

interface MessageButtonsProps {
  readonly message: Message
  /** Whether the row was under the pointer or focused: before, nobody sees the buttons. */
  readonly isReached: ReadonlySignal<boolean>
}

/**
 * The buttons that a row shows under the pointer or the focus. Until then there is only the last
 * one, for screen readers: a third of what a row costs to draw would be out of sight.
 */
export function MessageButtons({ message, isReached }: MessageButtonsProps) {
  const app = useApp()
  return (
    <div class="message-buttons" role="toolbar" aria-label={t('Actions')}>
      {isReached.value && <QuickButtons message={message} />}
      <IconButton
        label={t('More actions')}
        icon={isReached.value ? MoreHorizontal : undefined}
        size={16}
        aria-haspopup="menu"
        onClick={(event) => openMessageMenu(app, message.id, event.currentTarget)}
      />
    </div>
  )
}
