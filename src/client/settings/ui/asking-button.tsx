import { Trash2 } from 'lucide'
import { openConfirm, type Question } from '#client/commands/confirm-dialog.tsx'
import { IconButton } from '#client/ui/button.tsx'
import type { IconNode } from '#client/ui/icon.tsx'

interface AskingButtonProps extends Question {
  readonly label: string
  readonly icon?: IconNode
}

/** An icon whose action cannot be undone: it asks before. */
export function AskingButton({ label, icon = Trash2, ...question }: AskingButtonProps) {
  return <IconButton label={label} icon={icon} size={16} onClick={() => openConfirm(question)} />
}
