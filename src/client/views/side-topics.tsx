import { useComputed } from '@preact/signals'
import { Bell, Check, EllipsisVertical } from 'lucide'
import { useEffect } from 'preact/hooks'
import { openTopicMenu } from '#client/actions/topic-menu.tsx'
import { useApp } from '#client/app-context.ts'
import { type ListedTopic, learnTopics, shortTopicsOf } from '#client/lists/topics.ts'
import { conversationKey } from '#client/state/model.ts'
import { IconButton } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { t, tn } from '#client/ui/t.ts'
import { Count } from './count.tsx'

/** Asks for the topics of a channel. Without an answer, the list has what is known from elsewhere. */
export function useTopics(channelId: number): void {
  const app = useApp()
  useEffect(() => void learnTopics(app, channelId).catch(() => undefined), [app, channelId])
}

/** A few topics of a channel in the side bar. */
export function ChannelTopics({ channelId }: { readonly channelId: number }) {
  const app = useApp()
  useTopics(channelId)
  const { view } = app.router
  const current = useComputed(() => {
    const shown = view.value
    if (shown.kind !== 'messages' || shown.narrow.kind !== 'topic') return undefined
    return shown.narrow.channelId === channelId ? shown.narrow : undefined
  })
  const short = useComputed(() => shortTopicsOf(app.store, channelId, current.value))
  const { topics, more, moreUnread } = short.value
  const openKey = current.value && conversationKey(current.value)
  return (
    <ul class="side-topics">
      {topics.map((topic) => (
        <TopicRow key={topic.key} topic={topic} isCurrent={topic.key === openKey} />
      ))}
      {more > 0 && (
        <li class="side-row">
          <a
            class="row side-link side-all-topics"
            href={app.router.href({ kind: 'topics', channelId })}
          >
            <span class="side-name">{tn(more, 'one more topic', '{count} more topics')}</span>
            <Count count={moreUnread} />
          </a>
        </li>
      )}
    </ul>
  )
}

interface TopicRowProps {
  readonly topic: ListedTopic
  readonly isCurrent: boolean
}

function TopicRow({ topic, isCurrent }: TopicRowProps) {
  const app = useApp()
  const { conversation, name, isResolved, count, hasMention, policy, isMuted } = topic
  const { channelId } = conversation
  return (
    <li class={isMuted ? 'side-row side-faint' : 'side-row'}>
      <a
        class="row side-link"
        href={app.router.href({ kind: 'messages', narrow: conversation })}
        aria-current={isCurrent ? 'page' : undefined}
        onContextMenu={(event) => {
          event.preventDefault()
          openTopicMenu(app, channelId, conversation.topic, event.currentTarget)
        }}
      >
        {isResolved && <Icon node={Check} size={13} class="side-mark" label={t('Resolved')} />}
        <span
          class={`side-name ellipsis${count > 0 && !isMuted ? ' side-unread' : ''}${conversation.topic === '' ? ' topic-empty' : ''}`}
          dir="auto"
          title={name}
        >
          {name}
        </span>
        {policy === 3 && <Icon node={Bell} size={13} class="side-mark" label={t('Followed')} />}
        <Count count={count} isQuiet={isMuted} hasMention={hasMention} />
      </a>
      <IconButton
        class="side-more"
        label={t('Menu of {topic}', { topic: name })}
        icon={EllipsisVertical}
        size={15}
        aria-haspopup="menu"
        onClick={(event) => openTopicMenu(app, channelId, conversation.topic, event.currentTarget)}
      />
    </li>
  )
}
