import { Hash, Lock, MessagesSquare, Search } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useId, useMemo, useState } from 'preact/hooks'
import type { App } from '#client/app.ts'
import {
  movedSelection,
  optionId,
  type Shown,
  SuggestionList,
} from '#client/compose/suggestion-list.tsx'
import { topicName } from '#client/lists/names.ts'
import type { View } from '#client/narrow/narrow.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { rank } from '#client/ui/fuzzy.ts'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { useTopicsAhead } from './use-topics-ahead.ts'

interface QuickSwitcherProps {
  readonly app: App
  readonly onClose: () => void
}

interface Target {
  readonly key: string
  readonly name: string
  readonly detail?: string | undefined
  readonly view: View
  readonly picture: ComponentChildren
  /** The less the earlier among equally good matches. */
  readonly order: number
}

/** Jumps to people, channels and topics by a few letters of their names. */
export function QuickSwitcher({ app, onClose }: QuickSwitcherProps) {
  const [query, setQuery] = useState('')
  const [selected, setSelected] = useState(0)
  const version = useTopicsAhead(app, true)
  const targets = useMemo(() => targetsOf(app), [app, version])
  const id = useId()
  const found =
    query.trim() === ''
      ? targets.slice(0, 12)
      : rank(targets, query, {
          names: ({ name }) => name,
          order: (a, b) => a.order - b.order,
          limit: 12,
        })
  const search: Target = {
    key: 'search',
    name: t('Search messages for “{query}”', { query }),
    view: {
      kind: 'messages',
      narrow: { kind: 'search', terms: [{ operator: 'search', operand: query, negated: false }] },
    },
    picture: <Icon node={Search} size={16} />,
    order: 0,
  }
  const items = query.trim() === '' ? found : [...found, search]

  function go(index: number): void {
    const target = items[index]
    if (!target) return
    onClose()
    app.router.go(target.view)
  }

  return (
    <Dialog title={t('Jump to')} isBare class="switcher" onClose={onClose}>
      <input
        class="input"
        role="combobox"
        aria-label={t('Jump to a person, channel or topic')}
        placeholder={t('Jump to a person, channel or topic')}
        aria-expanded={items.length > 0}
        aria-controls={id}
        aria-activedescendant={items[selected] ? optionId(id, selected) : undefined}
        aria-autocomplete="list"
        autocomplete="off"
        autoFocus
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value)
          setSelected(0)
        }}
        onKeyDown={(event) => {
          if (event.isComposing) return
          const moved = movedSelection(event.key, selected, items.length)
          if (moved !== undefined) setSelected(moved)
          else if (event.key === 'Enter') go(selected)
          else return
          event.preventDefault()
        }}
      />
      <SuggestionList
        id={id}
        label={t('Conversations')}
        items={items.map(shown)}
        selected={selected}
        onPick={go}
      />
    </Dialog>
  )
}

const shown = ({ key, name, detail, picture }: Target): Shown => ({
  key,
  label: name,
  detail,
  picture,
})

/** Everything that one can jump to: unread first, then what was written in lately, then the rest. */
function targetsOf(app: App): readonly Target[] {
  const { store } = app
  const targets: Target[] = []
  const seen = new Set<string>()
  const add = (target: Omit<Target, 'order'>) => {
    if (seen.has(target.key)) return
    seen.add(target.key)
    targets.push({ ...target, order: targets.length })
  }
  const addTopic = (channelId: number, topic: string) =>
    add({
      key: `topic:${channelId}:${topic.toLowerCase()}`,
      name: topicName(topic, store),
      detail: `#${store.channels.peek(channelId)?.name ?? ''}`,
      view: { kind: 'messages', narrow: { kind: 'topic', channelId, topic } },
      picture: <Icon node={MessagesSquare} size={16} />,
    })
  const addPeople = (userIds: readonly number[]) => {
    const users = userIds.map((id) => store.users.peek(id)).filter((user) => user !== undefined)
    const [first] = users
    if (!first) return
    add({
      key: `direct:${userIds.join()}`,
      name: users.map(({ name }) => name).join(', '),
      detail: users.length === 1 ? (first.deliveryEmail ?? undefined) : undefined,
      view: { kind: 'messages', narrow: { kind: 'direct', userIds } },
      picture: <Avatar user={first} size={20} />,
    })
  }
  const conversations = [
    ...store.unreads.conversations.peek().filter(({ isMuted }) => !isMuted),
    ...[...store.recent.direct.peek(), ...store.recent.topics.peek()].sort(
      (a, b) => b.newestId - a.newestId,
    ),
  ]
  for (const { conversation } of conversations) {
    if (conversation.kind === 'topic') addTopic(conversation.channelId, conversation.topic)
    else addPeople(conversation.userIds)
  }
  const isSubscribed = (id: number) => store.subscriptions.current.has(id)
  const channels = [...store.channels.current.values()].sort(
    (a, b) =>
      Number(isSubscribed(b.id)) - Number(isSubscribed(a.id)) || a.name.localeCompare(b.name),
  )
  for (const { id, name, isPrivate, description } of channels) {
    add({
      key: `channel:${id}`,
      name,
      detail: description,
      view: { kind: 'messages', narrow: { kind: 'channel', channelId: id } },
      picture: <Icon node={isPrivate ? Lock : Hash} size={16} />,
    })
  }
  for (const user of store.users.current.values()) if (user.isActive) addPeople([user.id])
  return targets
}
