import { Hash, Lock, MessagesSquare, Search } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { SuggestionList, type SuggestionRow } from '#client/compose/suggestion-list.tsx'
import type { Narrow, Overlay, View } from '#client/narrow/narrow.ts'
import { byName, plainDescription, topicName } from '#client/state/names.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { rank } from '#client/ui/fuzzy.ts'
import { Icon } from '#client/ui/icon.tsx'
import { useListbox } from '#client/ui/listbox.ts'
import { listText, t } from '#client/ui/t.ts'
import { actionCommands, type Command, viewCommands } from './app-commands.ts'
import { useTopicsAhead } from './use-topics-ahead.ts'
import { visitedBy } from './visit-statistics.ts'

interface QuickSwitcherProps {
  readonly app: App
  readonly onClose: () => void
  /** Chooses a conversation for something, instead of going there. */
  readonly choosing?: Choosing
}

export interface Choosing {
  /** The purpose of the choice: the name of the dialog. */
  readonly title: string
  /** The content above the choices. */
  readonly head: ComponentChildren
  onPick(place: Narrow): void
}

interface SwitcherItem {
  readonly key: string
  /** The first is shown; the best match counts. */
  readonly names: readonly string[]
  readonly detail?: string | undefined
  readonly to?: View | Overlay | undefined
  readonly href?: string | undefined
  readonly run?: (() => void) | undefined
  readonly picture: ComponentChildren
  /** The less the earlier among equally good matches. */
  readonly order: number
}

/** What is loaded after the switcher has opened. */
interface Later {
  readonly settings: readonly Command[]
  /** What can be done with the selected message. */
  readonly selected: readonly Command[]
}

const most = 12
/** How many recent places are offered before anything is typed. */
const latest = 10

/** Jumps to people, channels, topics and views, does commands and finds settings, by a few letters. */
export function QuickSwitcher({ app, onClose, choosing }: QuickSwitcherProps) {
  const [query, setQuery] = useState('')
  const [later, setLater] = useState<Later>({ settings: [], selected: [] })
  const version = useTopicsAhead(app, true)
  const targets = useMemo(() => {
    const all = targetsOf(app, later)
    return choosing ? all.filter(({ to }) => to && placeOf(to)) : all
  }, [app, version, later, choosing])
  // Settings load all their labels, which should not delay a jump to a channel.
  useEffect(() => {
    if (choosing) return
    Promise.all([import('./setting-commands.ts'), import('./selection-commands.ts')]).then(
      ([{ settingCommands }, { selectionCommands }]) =>
        setLater({ settings: settingCommands(app), selected: selectionCommands(app) }),
      () => undefined,
    )
  }, [app])
  const isEmpty = query.trim() === ''
  const found = isEmpty ? beforeTyping(app, targets) : matching(targets, query)
  const items = isEmpty || choosing ? found : [...found, searchFor(query)]
  const { id, selected, select, press, field } = useListbox({ count: items.length, onPick: go })
  const label = choosing ? t('Find a person, channel or topic') : jumpLabel()

  function go(index: number): void {
    const target = items[index]
    if (!target) return
    const place = target.to && placeOf(target.to)
    if (choosing) {
      if (place) choosing.onPick(place)
      return
    }
    onClose()
    if (target.to) app.router.go(target.to)
    if (target.href) location.assign(target.href)
    target.run?.()
  }

  return (
    <Dialog
      title={choosing?.title ?? t('Jump to')}
      isBare={!choosing}
      class="switcher"
      onClose={onClose}
    >
      {choosing?.head}
      <input
        class="input"
        {...field}
        aria-label={label}
        placeholder={label}
        autoFocus
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value)
          select(0)
        }}
        onKeyDown={press}
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

const jumpLabel = () => t('Jump to a person, channel, topic or setting')

function searchFor(query: string): SwitcherItem {
  return {
    key: 'search',
    names: [t('Search messages for “{query}”', { query })],
    to: {
      kind: 'messages',
      narrow: { kind: 'search', terms: [{ operator: 'search', operand: query, negated: false }] },
    },
    picture: <Icon node={Search} size={16} />,
    order: 0,
  }
}

/** The conversation of a view; undefined for other views. */
function placeOf(to: View | Overlay): Narrow | undefined {
  if (to.kind !== 'messages') return undefined
  const { kind } = to.narrow
  return kind === 'topic' || kind === 'channel' || kind === 'direct' ? to.narrow : undefined
}

const shown = ({ key, names: [name = ''], detail, picture }: SwitcherItem): SuggestionRow => ({
  key,
  label: name,
  detail,
  picture,
})

/** Matches that contain the letters, or if there are none, similar ones. */
function matching(targets: readonly SwitcherItem[], query: string): readonly SwitcherItem[] {
  const options = {
    names: ({ names }: SwitcherItem) => names,
    order: (a: SwitcherItem, b: SwitcherItem) => a.order - b.order,
    limit: most,
  }
  const found = rank(targets, query, { ...options, worst: 3 })
  return found.length > 0 ? found : rank(targets, query, options)
}

/** Recent places except the current one, then unread and recently active ones. */
function beforeTyping(app: App, targets: readonly SwitcherItem[]): readonly SwitcherItem[] {
  const { router, store } = app
  const here = router.href(router.view.peek())
  const byHref = new Map(
    targets.flatMap((target) => (target.to ? [[router.href(target.to), target] as const] : [])),
  )
  const last = visitedBy(store.selfId)
    .latest.filter((href) => href !== here)
    .flatMap((href) => byHref.get(href) ?? [])
    .slice(0, latest)
  return [...new Set([...last, ...targets])]
    .filter(({ to }) => to && router.href(to) !== here)
    .slice(0, most)
}

/** The order of kinds among equally good matches. */
const kindOrder = { place: 0, topic: 1, group: 2, command: 3, setting: 4 } as const

/** All targets and commands: the most used first, then by kind. */
function targetsOf(app: App, { settings, selected }: Later): readonly SwitcherItem[] {
  const { store, router } = app
  const { weightOf } = visitedBy(store.selfId)
  const targets = new Map<string, SwitcherItem>()
  const add = (kind: keyof typeof kindOrder, target: Omit<SwitcherItem, 'order'>) => {
    if (targets.has(target.key)) return
    const weight = target.to ? weightOf(router.href(target.to)) : 0
    // A weight is rarely above a hundred; unused targets keep the order of their kind.
    const order = kindOrder[kind] + targets.size / 1e6 - (weight > 0 ? 10 + weight : 0)
    targets.set(target.key, { ...target, order })
  }
  const addCommand = (kind: 'place' | 'command' | 'setting', command: Command) => {
    const { key, names, detail, icon, to, href, run } = command
    add(kind, { key, names, detail, to, href, run, picture: <Icon node={icon} size={16} /> })
  }
  const addTopic = (channelId: number, topic: string) =>
    add('topic', {
      key: `topic:${channelId}:${topic.toLowerCase()}`,
      names: [topicName(topic, store)],
      detail: `#${store.channels.peek(channelId)?.name ?? ''}`,
      to: { kind: 'messages', narrow: { kind: 'topic', channelId, topic } },
      picture: <Icon node={MessagesSquare} size={16} />,
    })
  const addPeople = (userIds: readonly number[]) => {
    const users = userIds.map((id) => store.users.peek(id)).filter((user) => user !== undefined)
    const [first] = users
    if (!first) return
    add(users.length > 1 ? 'group' : 'place', {
      key: `direct:${userIds.join()}`,
      names: [
        listText(
          users.map(({ name }) => name),
          'narrow',
        ),
      ],
      detail: users.length === 1 ? (first.deliveryEmail ?? undefined) : undefined,
      to: { kind: 'messages', narrow: { kind: 'direct', userIds } },
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
    (a, b) => Number(isSubscribed(b.id)) - Number(isSubscribed(a.id)) || byName(a.name, b.name),
  )
  for (const channel of channels) {
    const { id, name, isPrivate } = channel
    add('place', {
      key: `channel:${id}`,
      names: [name],
      detail: plainDescription(channel),
      to: { kind: 'messages', narrow: { kind: 'channel', channelId: id } },
      picture: <Icon node={isPrivate ? Lock : Hash} size={16} />,
    })
  }
  for (const { id, isActive, isSystemBot } of store.users.current.values()) {
    // Those that wrote to the user are among the conversations.
    if (isActive && !isSystemBot) addPeople([id])
  }
  for (const command of viewCommands()) addCommand('place', command)
  for (const command of actionCommands(app)) addCommand('command', command)
  for (const command of selected) addCommand('command', command)
  for (const command of settings) addCommand('setting', command)
  return [...targets.values()]
}
