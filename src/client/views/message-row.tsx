import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals'
import { AlarmClock, Bot, Star } from 'lucide'
import { useApp } from '#client/app-context.ts'
import { toggleFolded } from '#client/commands/folding.ts'
import type { LongMessages } from '#client/lists/long-messages.ts'
import { MessageBody } from '#client/messages/message-body.tsx'
import { Reactions, StatusEmoji } from '#client/messages/reactions.tsx'
import type { Message } from '#client/state/model.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { classes } from '#client/ui/button.tsx'
import { bareTimeText, exactText, timeText } from '#client/ui/dates.ts'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { openUserCard } from './open-user-card.ts'
import { EditBox, MessageButtons } from './parts.ts'

interface MessageRowProps {
  readonly message: Message
  readonly showsSender: boolean
  /** The HTML to show instead, with what a search found highlighted. */
  readonly html?: string | undefined
  /** The row in the tab order: the selected one, or else the last. */
  readonly tabStop: ReadonlySignal<number | undefined>
  readonly long: LongMessages
}

/** One message of the list. */
export function MessageRow({ message, showsSender, html, tabStop, long }: MessageRowProps) {
  const app = useApp()
  const { id, flags } = message
  const isSelected = useComputed(() => app.selectedId.value === id)
  const isTabStop = useComputed(() => tabStop.value === id)
  const isEdited = useComputed(() => app.edits.openId.value === id)
  const isReached = useSignal(false)
  const reach = () => {
    isReached.value = true
  }
  const sender = app.store.users.get(message.senderId)
  const name = sender?.name ?? message.senderName
  const isMention = mentionFlags.some((flag) => flags.has(flag))
  const shows = showsSender || message.isMe
  return (
    <li
      class={classes(
        'message',
        shows && 'message-first',
        isMention && 'message-mention',
        !flags.has('read') && 'message-unread',
        isSelected.value && 'message-selected',
        flags.has('hide_link_previews') && 'message-bare',
      )}
      data-message-id={id}
      tabIndex={isTabStop.value ? 0 : -1}
      aria-current={isSelected.value ? 'true' : undefined}
      onMouseEnter={reach}
      onFocusIn={reach}
    >
      <div class="message-gutter">
        {shows ? (
          <button
            type="button"
            class="message-avatar"
            tabIndex={-1}
            aria-label={t('Profile of {name}', { name })}
            onClick={(event) => openUserCard(app, message.senderId, event.currentTarget)}
          >
            <Avatar user={sender ?? { name, avatarUrl: message.senderAvatarUrl }} />
          </button>
        ) : (
          <MessageTime message={message} isReached={isReached} isBare />
        )}
      </div>
      <div class="message-main">
        {shows ? (
          <div class="message-head">
            <button
              type="button"
              class="message-sender"
              onClick={(event) => openUserCard(app, message.senderId, event.currentTarget)}
            >
              {name}
            </button>
            {sender?.isBot && <Icon node={Bot} size={14} class="message-bot" label={t('Bot')} />}
            <StatusEmoji userId={message.senderId} />
            {message.isMe && <MessageBody message={message} html={html} long={long} isInline />}
            <MessageTime message={message} isReached={isReached} />
            <Marks message={message} />
          </div>
        ) : (
          // Screen readers that read row by row announce every sender.
          <span class="visually-hidden">{name}</span>
        )}
        <RowContent message={message} html={html} long={long} showsMarks={!shows} />
        <Reactions message={message} />
      </div>
      {!isEdited.value && <MessageButtons message={message} isReached={isReached} />}
    </li>
  )
}

interface RowContentProps extends Pick<MessageRowProps, 'message' | 'html' | 'long'> {
  readonly showsMarks: boolean
}

/** The text of a message, or what stands in its place. */
function RowContent({ message, html, long, showsMarks }: RowContentProps) {
  const app = useApp()
  const isEdited = useComputed(() => app.edits.openId.value === message.id)
  if (isEdited.value) return <EditBox message={message} />
  if (message.flags.has('collapsed')) {
    return (
      <button type="button" class="text-button" onClick={() => toggleFolded(app, message)}>
        {t('Show the collapsed message')}
      </button>
    )
  }
  return (
    <>
      {showsMarks && (
        <span class="message-marks">
          <Marks message={message} />
        </span>
      )}
      {!message.isMe && <MessageBody message={message} html={html} long={long} />}
    </>
  )
}

const mentionFlags = [
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'wildcard_mentioned',
] as const

interface MessageTimeProps {
  readonly message: Message
  readonly isReached: ReadonlySignal<boolean>
  /** Whether it stands below a whole time. */
  readonly isBare?: boolean
}

function MessageTime({ message, isReached, isBare }: MessageTimeProps) {
  const app = useApp()
  const settings = app.store.settings.value
  return (
    <a
      class="message-time"
      href={app.router.href({ kind: 'messages', narrow: message.conversation, near: message.id })}
      title={isReached.value ? exactText(message.timestamp, settings) : undefined}
      tabIndex={-1}
    >
      {(isBare ? bareTimeText : timeText)(message.timestamp, settings)}
    </a>
  )
}

/** Whether it is being edited, starred, or someone is to be reminded of it. */
function Marks({ message }: { readonly message: Message }) {
  const app = useApp()
  const { id, flags } = message
  return (
    <>
      {app.store.editTyping.get(id) !== undefined && (
        <span class="message-mark" role="status">
          {t('is being edited…')}
        </span>
      )}
      {app.edits.get(id) && app.edits.openId.value !== id && (
        <button
          type="button"
          class="message-mark message-unsaved"
          onClick={() => app.edits.open(id)}
        >
          {t('edit not saved')}
        </button>
      )}
      {flags.has('starred') && (
        <Icon node={Star} size={13} class="message-star" label={t('Starred')} />
      )}
      {reminderOf(app.store.reminders.all, id) && (
        <Icon node={AlarmClock} size={13} class="message-bell" label={t('Reminder set')} />
      )}
    </>
  )
}

function reminderOf(
  reminders: ReadonlyMap<number, { readonly reminder_target_message_id: number }>,
  messageId: number,
): boolean {
  for (const reminder of reminders.values()) {
    if (reminder.reminder_target_message_id === messageId) return true
  }
  return false
}
