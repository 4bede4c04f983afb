import { PinOff } from 'lucide'
import { useEffect } from 'preact/hooks'
import type { PinnedMessage } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { canPin } from '#client/commands/permissions.ts'
import { togglePin } from '#client/commands/pins.ts'
import { findMessage } from '#client/lists/one-message.ts'
import { summaryOf } from '#client/messages/summary.ts'
import { plainTopic, topicName } from '#client/state/names.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { IconButton } from '#client/ui/button.tsx'
import { shortText } from '#client/ui/dates.ts'
import { t } from '#client/ui/t.ts'

interface PinListProps {
  readonly pins: readonly PinnedMessage[]
  /** Shows the topic of each. */
  readonly saysTopic?: boolean
  /** Called when one is followed. */
  readonly onFollow?: () => void
}

/** Pinned messages, with links to them. */
export function PinList({ pins, saysTopic, onFollow }: PinListProps) {
  return (
    <ul class="stack tight">
      {pins.map(({ message_id }) => (
        <Pin key={message_id} id={message_id} saysTopic={saysTopic} onFollow={onFollow} />
      ))}
    </ul>
  )
}

interface PinProps {
  readonly id: number
  readonly saysTopic: boolean | undefined
  readonly onFollow: (() => void) | undefined
}

function Pin({ id, saysTopic, onFollow }: PinProps) {
  const app = useApp()
  const { store, router } = app
  const message = store.messages.get(id)
  useEffect(() => {
    void findMessage(app, id)
    return store.holdMessages(() => [id])
  }, [app, id])
  if (!message) return null
  const sender = store.users.get(message.senderId)
  const { conversation } = message
  return (
    <li class="pin">
      <a
        class="stack grow pin-link"
        href={router.href({ kind: 'messages', narrow: conversation, near: id })}
        onClick={onFollow}
      >
        <span class="row tight pin-head">
          {sender && <Avatar user={sender} size={18} />}
          <strong class="ellipsis">{message.senderName}</strong>
          <span class="snippet-time">{shortText(message.timestamp, store.settings.value)}</span>
        </span>
        <span class="clamp" dir="auto">
          {summaryOf(message) || t('A picture or file')}
        </span>
        {saysTopic && conversation.kind === 'topic' && (
          <span class="pin-topic ellipsis">
            {plainTopic(topicName(conversation.topic, store)).name}
          </span>
        )}
      </a>
      {canPin(store, message) && (
        <IconButton
          label={t('Unpin message')}
          icon={PinOff}
          size={15}
          onClick={() => void togglePin(app, message)}
        />
      )}
    </li>
  )
}
