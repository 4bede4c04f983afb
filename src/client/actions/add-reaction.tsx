import { SmilePlus } from 'lucide'
import { IconButton } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import { useApp } from '#client/views/app-context.ts'
import { openEmojiPicker } from './open-emoji-picker.ts'
import { toggleReaction } from './reactions.ts'

/** Opens the emoji picker for a message. */
export function AddReaction({
  messageId,
  class: className,
}: {
  readonly messageId: number
  readonly class?: string
}) {
  const app = useApp()
  return (
    <IconButton
      class={className}
      label={t('Add reaction')}
      icon={SmilePlus}
      size={16}
      onClick={(event) =>
        openEmojiPicker(
          app,
          event.currentTarget,
          (emoji) => void toggleReaction(app, messageId, emoji),
        )
      }
    />
  )
}
