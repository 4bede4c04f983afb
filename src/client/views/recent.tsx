import { useComputed, useSignal } from '@preact/signals'
import { Bell, BellOff, Check, LoaderCircle } from 'lucide'
import { useEffect } from 'preact/hooks'
import { openTopicMenu } from '#client/actions/topic-menu.tsx'
import { useApp } from '#client/app-context.ts'
import { problemOf } from '#client/commands/attempt.ts'
import {
  fetchRecent,
  type RecentOptions,
  type RecentRow,
  recentDefaults,
  recentOf,
} from '#client/lists/recent.ts'
import { ChannelIcon } from '#client/messages/channel-icon.tsx'
import { plainTopic } from '#client/state/names.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Button } from '#client/ui/button.tsx'
import { exactText, shortText } from '#client/ui/dates.ts'
import { FilterField } from '#client/ui/filter-field.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { Count } from './count.tsx'
import { DirectFace } from './direct-face.tsx'
import { Snippet } from './snippet.tsx'

/** How many rows are drawn at first, and added each time. */
const rowsAtOnce = 60

/** The choice stays while the page is open. */
let lastOptions: RecentOptions = recentDefaults

/** The conversations with the newest messages. */
export function RecentView() {
  const app = useApp()
  const options = useSignal(lastOptions)
  const shown = useSignal(rowsAtOnce)
  const rows = useComputed(() => {
    app.store.messages.version.value
    return recentOf(app.store, options.value)
  })
  const looked = useSignal<number | undefined>(undefined)
  const state = useSignal<'idle' | 'fetching' | 'all'>('idle')
  const problem = useSignal('')

  async function fetchMore(): Promise<void> {
    if (state.peek() !== 'idle') return
    state.value = 'fetching'
    problem.value = ''
    try {
      looked.value = await fetchRecent(app, looked.peek())
      state.value = looked.peek() === undefined ? 'all' : 'idle'
    } catch (error) {
      state.value = 'idle'
      problem.value = problemOf(error)
    }
  }
  useEffect(() => {
    void fetchMore()
  }, [])

  const set = (change: Partial<RecentOptions>) => {
    lastOptions = { ...options.peek(), ...change }
    options.value = lastOptions
    shown.value = rowsAtOnce
  }
  const some = rows.value.slice(0, shown.value)
  return (
    <div class="view">
      <RecentTools
        options={options.value}
        onChange={set}
        onChoose={() => {
          const [first] = rows.peek()
          if (first) app.router.go({ kind: 'messages', narrow: first.conversation })
        }}
      />
      <ul class="recent" aria-label={t('Recent conversations')}>
        {some.map((row) => (
          <Row key={row.key} row={row} />
        ))}
      </ul>
      {some.length === 0 && state.value !== 'fetching' && (
        <div class="empty">
          <h2>{rows.value.length > 0 ? t('Nothing found') : t('No conversations yet')}</h2>
          <p>
            {rows.value.length > 0
              ? t('No conversations match.')
              : t('Press C to start one in a channel, or X to write a direct message.')}
          </p>
        </div>
      )}
      {problem.value !== '' && <p class="row banner banner-error">{problem.value}</p>}
      <p class="center view-more">
        {state.value === 'fetching' ? (
          <Icon node={LoaderCircle} size={20} class="spin" label={t('Loading')} />
        ) : some.length < rows.value.length ? (
          <Button
            onClick={() => {
              shown.value += rowsAtOnce
            }}
          >
            {t('Show more')}
          </Button>
        ) : (
          state.value !== 'all' && (
            <Button onClick={() => void fetchMore()}>{t('Load older conversations')}</Button>
          )
        )}
      </p>
    </div>
  )
}

interface RecentToolsProps {
  readonly options: RecentOptions
  readonly onChange: (change: Partial<RecentOptions>) => void
  /** Opens the first conversation that is left. */
  readonly onChoose: () => void
}

/** What is shown of the conversations. */
function RecentTools({ options, onChange, onChoose }: RecentToolsProps) {
  const { filter, kinds, onlyUnread, onlyParticipated, includesMuted } = options
  return (
    <div class="row cluster view-tools">
      <FilterField
        label={t('Filter conversations')}
        placeholder={t('Filter')}
        value={filter}
        onChange={(text) => onChange({ filter: text })}
        onChoose={onChoose}
      />
      <div class="view-choices">
        <select
          class="input select"
          aria-label={t('Type of conversations')}
          value={kinds}
          onChange={(event) =>
            onChange({ kinds: event.currentTarget.value as RecentOptions['kinds'] })
          }
        >
          <option value="all">{t('All conversations')}</option>
          <option value="topics">{t('Topics')}</option>
          <option value="direct">{t('Direct messages')}</option>
        </select>
        <Chip
          name={t('Unread')}
          isOn={onlyUnread}
          onToggle={() => onChange({ onlyUnread: !onlyUnread })}
        />
        <Chip
          name={t('I took part')}
          isOn={onlyParticipated}
          onToggle={() => onChange({ onlyParticipated: !onlyParticipated })}
        />
        <Chip
          name={t('Muted too')}
          isOn={includesMuted}
          onToggle={() => onChange({ includesMuted: !includesMuted })}
        />
      </div>
    </div>
  )
}

interface ChipProps {
  readonly name: string
  readonly isOn: boolean
  readonly onToggle: () => void
}

/** A filter that is on or off. */
export function Chip({ name, isOn, onToggle }: ChipProps) {
  return (
    <button type="button" class="chip" aria-pressed={isOn} onClick={onToggle}>
      {isOn && <Icon node={Check} size={14} />}
      {name}
    </button>
  )
}

const faces = 3

function Row({ row }: { readonly row: RecentRow }) {
  const app = useApp()
  const { conversation, name, channel, timestamp, senderIds, count, hasMention, policy } = row
  const { newestId } = row
  const settings = app.store.settings.value
  const isTopic = conversation.kind === 'topic'
  const { name: topic, isResolved } = plainTopic(name)
  return (
    <li class={row.isMuted ? 'row loose recent-row recent-muted' : 'row loose recent-row'} data-row>
      <a
        class="row grow recent-link"
        href={app.router.href({ kind: 'messages', narrow: conversation })}
        onContextMenu={(event) => {
          if (!isTopic) return
          event.preventDefault()
          openTopicMenu(app, conversation.channelId, conversation.topic, event.currentTarget)
        }}
      >
        {isTopic ? (
          <>
            <span class="row ellipsis tight recent-channel">
              <ChannelIcon channelId={conversation.channelId} size={14} />
              <span class="ellipsis">{channel}</span>
            </span>
            <span class="row recent-topic">
              {isResolved && (
                <Icon node={Check} size={14} class="side-mark" label={t('Resolved')} />
              )}
              <span
                class={conversation.topic === '' ? 'ellipsis topic-empty' : 'ellipsis'}
                dir="auto"
              >
                {topic}
              </span>
            </span>
          </>
        ) : (
          <>
            <span class="row tight recent-channel">{t('Direct')}</span>
            <span class="row recent-topic">
              <DirectFace userIds={conversation.userIds} />
              <span class="ellipsis">{name}</span>
            </span>
          </>
        )}
        {timestamp !== undefined && (
          <Snippet messageId={newestId} saysSender={isTopic || conversation.userIds.length > 1} />
        )}
        {policy === 3 && <Icon node={Bell} size={14} class="side-mark" label={t('Followed')} />}
        {policy === 1 && <Icon node={BellOff} size={14} class="side-mark" label={t('Muted')} />}
        <Count count={count} hasMention={hasMention} isQuiet={row.isMuted} />
      </a>
      <span class="recent-faces" aria-hidden="true">
        {senderIds.slice(0, faces).map((id) => {
          const user = app.store.users.get(id)
          return user && <Avatar key={id} user={user} size={22} />
        })}
      </span>
      <time
        class="recent-time"
        title={timestamp === undefined ? undefined : exactText(timestamp, settings)}
      >
        {timestamp === undefined ? '' : shortText(timestamp, settings)}
      </time>
    </li>
  )
}
