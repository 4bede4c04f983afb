import { useApp } from '#client/app-context.ts'
import { IconButton } from '#client/ui/button.tsx'
import type { IconNode } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { openEmojiPicker } from './open-emoji-picker.ts'
import { toggleReaction } from './reactions.ts'

interface AddReactionProps {
  readonly messageId: number
  /** As that of an `IconButton`. */
  readonly icon: IconNode | undefined
  readonly class?: string
}

/** Opens the emoji picker for a message. */
export function AddReaction({ messageId, icon, class: className }: AddReactionProps) {
  const app = useApp()
  return (
    <IconButton
      class={className}
      label={t('Add reaction')}
      icon={icon}
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
