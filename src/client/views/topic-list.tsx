import { useComputed, useSignal } from '@preact/signals'
import { Bell, BellOff, Check, EllipsisVertical, Plus } from 'lucide'
import { openTopicMenu } from '#client/actions/topic-menu.tsx'
import { useApp } from '#client/app-context.ts'
import { type ListedTopic, type TopicOptions, topicsOf } from '#client/lists/topics.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { shortText } from '#client/ui/dates.ts'
import { FilterField } from '#client/ui/filter-field.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { Count } from './count.tsx'
import { useTopics } from './side-topics.tsx'

/** Every topic of a channel. */
export function TopicListView({ channelId }: { readonly channelId: number }) {
  const app = useApp()
  useTopics(channelId)
  const filter = useSignal('')
  const state = useSignal<NonNullable<TopicOptions['state']>>('all')
  const topics = useComputed(() =>
    topicsOf(app.store, channelId, { filter: filter.value, state: state.value }),
  )
  return (
    <div class="view">
      <div class="row cluster view-tools">
        <FilterField
          label={t('Filter topics')}
          value={filter.value}
          onChange={(text) => {
            filter.value = text
          }}
          onChoose={() => {
            const [first] = topics.peek()
            if (first) app.router.go({ kind: 'messages', narrow: first.conversation })
          }}
        />
        <select
          class="input select"
          aria-label={t('Resolved or not')}
          value={state.value}
          onChange={(event) => {
            state.value = event.currentTarget.value as typeof state.value
          }}
        >
          <option value="all">{t('All topics')}</option>
          <option value="unresolved">{t('Unresolved')}</option>
          <option value="resolved">{t('Resolved')}</option>
        </select>
        <Button
          icon={Plus}
          onClick={() => app.compose.open({ kind: 'topic', channelId, topic: '' }, { focus: true })}
        >
          {t('New topic')}
        </Button>
      </div>
      <ul class="recent" aria-label={t('Topics')}>
        {topics.value.map((topic) => (
          <TopicRow key={topic.key} topic={topic} />
        ))}
      </ul>
      {topics.value.length === 0 && (
        <div class="empty">
          <h2>{filter.value ? t('Nothing found') : t('No topics yet')}</h2>
          <p>
            {filter.value
              ? t('No topics match.')
              : t('Start the first conversation of this channel: press C, or write below.')}
          </p>
        </div>
      )}
    </div>
  )
}

function TopicRow({ topic }: { readonly topic: ListedTopic }) {
  const app = useApp()
  const { conversation, name, isResolved, newestId, count, hasMention, policy, isMuted } = topic
  const newest = app.store.messages.get(newestId)
  return (
    <li class={isMuted ? 'row loose recent-row recent-muted' : 'row loose recent-row'} data-row>
      <a
        class="row grow recent-link"
        href={app.router.href({ kind: 'messages', narrow: conversation })}
        onContextMenu={(event) => {
          event.preventDefault()
          openTopicMenu(app, conversation.channelId, conversation.topic, event.currentTarget)
        }}
      >
        <span class="row recent-topic">
          {isResolved && <Icon node={Check} size={14} class="side-mark" label={t('Resolved')} />}
          <span class={conversation.topic === '' ? 'ellipsis topic-empty' : 'ellipsis'} dir="auto">
            {name}
          </span>
        </span>
        {policy === 3 && <Icon node={Bell} size={14} class="side-mark" label={t('Followed')} />}
        {policy === 1 && <Icon node={BellOff} size={14} class="side-mark" label={t('Muted')} />}
        <Count count={count} hasMention={hasMention} isQuiet={isMuted} />
      </a>
      {newest && (
        <time class="recent-time">{shortText(newest.timestamp, app.store.settings.value)}</time>
      )}
      <IconButton
        class="side-more"
        label={t('Menu of {topic}', { topic: name })}
        icon={EllipsisVertical}
        size={15}
        aria-haspopup="menu"
        onClick={(event) =>
          openTopicMenu(app, conversation.channelId, conversation.topic, event.currentTarget)
        }
      />
    </li>
  )
}
