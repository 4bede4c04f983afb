import { useApp } from '#client/app-context.ts'
import { t, tn } from '#client/ui/t.ts'
import { roomLeft } from './lengths.ts'

interface LengthNoteProps {
  readonly text: string
  /** Whether it is a draft, which the server keeps as long as it fits. */
  readonly isDraft: boolean
}

/** How much more fits into a message, once it is nearly full, or how much is too much. */
export function LengthNote({ text, isDraft }: LengthNoteProps) {
  const { realm, settings } = useApp().store
  const left = roomLeft(text, realm.value.max_message_length)
  if (left === undefined) return null
  const isHere = left < 0 && isDraft && settings.value.enable_drafts_synchronization
  return (
    <p class={left < 0 ? 'editor-length field-problem' : 'editor-length field-help'}>
      {left < 0
        ? t('The message is {count} characters too long.', { count: -left })
        : tn(left, 'one character left', '{count} characters left')}
      {isHere && ` ${t('Until it is shorter, it is kept in this browser only.')}`}
    </p>
  )
}
