import { Bell, BellRing, Check, CircleCheck, Pin, Search } from 'lucide'
import { useApp } from '#client/app-context.ts'
import { askSearch } from '#client/commands/ask-search.ts'
import { canResolve } from '#client/commands/permissions.ts'
import { usePins } from '#client/commands/pins.ts'
import { openLazy } from '#client/commands/surfaces.tsx'
import { withLoaded } from '#client/commands/with-loaded.ts'
import type { Narrow } from '#client/narrow/narrow.ts'
import type { OperatorName } from '#client/narrow/operators.ts'
import { searchTextOf } from '#client/narrow/search.ts'
import { type Conversation, conversationKey } from '#client/state/model.ts'
import { IconButton } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { later } from '#client/ui/later.ts'
import { t, tn } from '#client/ui/t.ts'
import { isResolved } from '#shared/resolved-topics.ts'

/** Loaded once someone is about to do something. */
const topicActions = later(() => import('#client/commands/topic-actions.ts'))

interface TopicActionsProps {
  readonly channelId: number
  readonly topic: string
}

/** The most used actions of a topic, beside its name; its menu has the others. */
export function TopicActions({ channelId, topic }: TopicActionsProps) {
  const app = useApp()
  const narrow = { kind: 'topic', channelId, topic } as const
  const policy = app.store.topicPolicies.get(conversationKey(narrow))?.policy
  const channel = app.store.channels.get(channelId)
  const resolved = isResolved(topic)
  return (
    <span class="head-actions head-wide">
      <PinsButton conversation={narrow} />
      <IconButton
        label={t('Follow')}
        hint={policy === 3 ? t('Following: click to stop') : t('Follow')}
        icon={policy === 3 ? BellRing : Bell}
        aria-pressed={policy === 3}
        onClick={() =>
          void withLoaded(app, topicActions, ({ setTopicPolicy }) =>
            setTopicPolicy(app, channelId, topic, policy === 3 ? 0 : 3),
          )
        }
      />
      {channel && topic !== '' && canResolve(app.store, channel) && (
        <IconButton
          label={resolved ? t('Mark as not resolved') : t('Mark as resolved')}
          icon={resolved ? CircleCheck : Check}
          aria-pressed={resolved}
          onClick={() =>
            void withLoaded(app, topicActions, ({ toggleResolved }) =>
              toggleResolved(app, channelId, topic),
            )
          }
        />
      )}
      <IconButton
        label={t('Search in this topic')}
        icon={Search}
        onClick={() => askSearch(`${searchTextOf(narrow, app.store)} `)}
      />
    </span>
  )
}

interface PinsButtonProps {
  readonly conversation: Conversation
}

/** Opens the pinned messages; nothing if there are none. */
export function PinsButton({ conversation }: PinsButtonProps) {
  const app = useApp()
  const count = usePins(app, conversation).length
  if (count === 0) return null
  const load = async () => (await import('#client/actions/pins-dialog.tsx')).PinsDialog
  return (
    <button
      type="button"
      class="row chip pins-chip"
      aria-haspopup="dialog"
      aria-label={tn(count, 'One pinned message', '{count} pinned messages')}
      title={tn(count, 'One pinned message', '{count} pinned messages')}
      onClick={() => void openLazy(app, load, { app, conversation })}
    >
      <Icon node={Pin} size={14} /> {count}
    </button>
  )
}

/** The number of results, and filters. */
export function SearchActions({ narrow }: { readonly narrow: Narrow }) {
  const app = useApp()
  const list = app.pane.value?.list
  const status = list?.status.value
  const count = list?.ids.value.length ?? 0
  const isWhole = status?.hasOldest && status.hasNewest
  const add = (operator: OperatorName) => () =>
    askSearch(`${searchTextOf(narrow, app.store)} ${operator}:`.trimStart())
  const filters = [
    [t('From'), 'sender'],
    [t('In'), 'channel'],
    [t('Has'), 'has'],
    [t('Is'), 'is'],
  ] as const
  const loadDates = async () => (await import('./date-menu.tsx')).DateMenu
  return (
    <>
      <span class="head-about search-count ellipsis" role="status">
        {status &&
          !status.isOpening &&
          (isWhole || count === 0
            ? tn(count, 'one result', '{count} results')
            : t('{count}+ results', { count }))}
      </span>
      <span class="head-actions search-filters">
        {filters.map(([name, operator]) => (
          <button key={operator} type="button" class="chip" onClick={add(operator)}>
            {name}
          </button>
        ))}
        <button
          type="button"
          class="chip"
          aria-haspopup="menu"
          onClick={({ currentTarget: anchor }) =>
            void openLazy(app, loadDates, { app, anchor, narrow })
          }
        >
          {t('Date')}
        </button>
      </span>
    </>
  )
}
