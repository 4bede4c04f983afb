import { Bell, BellOff, Check, ChevronRight, MoreVertical } from 'lucide'
import { openChannelMenu } from '#client/actions/channel-menu.tsx'
import { openTopicMenu } from '#client/actions/topic-menu.tsx'
import { useApp } from '#client/app-context.ts'
import { ChannelIcon } from '#client/messages/channel-icon.tsx'
import { conversationKey, type Message } from '#client/state/model.ts'
import { peopleNames, plainTopic, topicName } from '#client/state/names.ts'
import { IconButton } from '#client/ui/button.tsx'
import { dayText } from '#client/ui/dates.ts'
import { Icon, pointing } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'

const onIcon = pointing(ChevronRight)

interface RecipientBarProps {
  readonly message: Message
  /** As `2026-11-22`. */
  readonly date: string
  /** Whether the list is a single conversation, so that the bar need not name it. */
  readonly isSingle: boolean
}

/**
 * The conversation and the day of the messages below. Sticks to the top while they are visible.
 */
export function RecipientBar({ message, date, isSingle }: RecipientBarProps) {
  const app = useApp()
  const { conversation } = message
  if (isSingle) return <DayDivider date={date} />
  if (conversation.kind === 'direct') {
    return (
      <li class="row tight bar">
        <a
          class="row ellipsis tight bar-part"
          href={app.router.href({ kind: 'messages', narrow: conversation })}
        >
          {t('You and {people}', { people: peopleNames(conversation.userIds, app.store) })}
        </a>
        <span class="bar-date">{dayText(secondsOf(date))}</span>
      </li>
    )
  }
  const { channelId, topic } = conversation
  const channel = app.store.channels.get(channelId)
  const { name, isResolved } = plainTopic(topicName(topic, app.store))
  const policy = app.store.topicPolicies.get(conversationKey(conversation))?.policy
  return (
    <li class="row tight bar">
      <a
        class="row ellipsis tight bar-part bar-channel"
        href={app.router.href({ kind: 'messages', narrow: { kind: 'channel', channelId } })}
        onContextMenu={(event) => {
          event.preventDefault()
          openChannelMenu(app, channelId, event.currentTarget)
        }}
      >
        <ChannelIcon channelId={channelId} size={14} />
        {channel?.name ?? t('Unknown channel')}
      </a>
      <Icon node={onIcon} size={14} class="bar-arrow" />
      <a
        class="row ellipsis tight bar-part"
        href={app.router.href({ kind: 'messages', narrow: conversation })}
        onContextMenu={(event) => {
          event.preventDefault()
          openTopicMenu(app, channelId, topic, event.currentTarget)
        }}
      >
        {isResolved && <Icon node={Check} size={14} label={t('Resolved')} />}
        <span class={topic === '' ? 'topic-empty' : undefined}>{name}</span>
      </a>
      {policy === 1 && <Icon node={BellOff} size={13} class="bar-mark" label={t('Muted')} />}
      {policy === 3 && <Icon node={Bell} size={13} class="bar-mark" label={t('Followed')} />}
      {message.topicLinks.map(({ url, text }) => (
        <a key={url} class="bar-link" href={url} target="_blank" rel="noopener noreferrer">
          {text}
        </a>
      ))}
      <IconButton
        class="bar-menu"
        label={t('Topic menu')}
        icon={MoreVertical}
        size={14}
        aria-haspopup="menu"
        onClick={(event) => openTopicMenu(app, channelId, topic, event.currentTarget)}
      />
      <span class="bar-date">{dayText(secondsOf(date))}</span>
    </li>
  )
}

/** Where a day begins. */
export function DayDivider({ date }: { readonly date: string }) {
  return (
    <li class="center day">
      <span>{dayText(secondsOf(date))}</span>
    </li>
  )
}

function secondsOf(date: string): number {
  return new Date(`${date}T12:00:00`).getTime() / 1000
}
