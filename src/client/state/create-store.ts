import { batch, signal } from '@preact/signals-core'
import type { FeatureEvent, RegisterReply, UserSettings } from '#client/api/wire.ts'
import { setServerOffset } from '#client/ui/server-time.ts'
import { subscribersFromWire } from './channels.ts'
import { type Clock, systemClock } from './clock.ts'
import { applyEvent } from './events.ts'
import { withFlag } from './flags.ts'
import {
  channelFromWire,
  groupFromWire,
  presenceFromWire,
  statusFromWire,
  subscriptionFromWire,
  topicConversation,
  topicPolicyFromWire,
  userFromWire,
} from './from-wire.ts'
import { addFetched, mostMessages, trimMessages } from './messages.ts'
import { conversationKey, type Message, type UserStatus } from './model.ts'
import { RecentModel } from './recent.ts'
import type { State } from './state.ts'
import type { KeptElsewhere, MessageChange, Realm, Store } from './store.ts'
import { Table } from './table.ts'
import { mentionOf, UnreadModel } from './unreads.ts'

/** A store with the data of a registration. */
export function createStore(reply: RegisterReply, clock?: Clock): Store {
  const selfId = reply.user_id
  const state = createState({ selfId, realm: realmOf(reply), settings: reply.user_settings }, clock)
  batch(() => fill(state, reply))
  return state
}

interface StoreBeginning {
  readonly selfId: number
  readonly realm: Realm
  readonly settings: UserSettings
}

/** A store without any collections filled. */
export function createState(
  { selfId, realm, settings }: StoreBeginning,
  clock: Clock = systemClock,
): State {
  const listeners = new Set<(change: MessageChange) => void>()
  const holders = new Set<() => Iterable<number>>()
  /** The number of messages from which on to look for some that can be forgotten. */
  let trimFrom = mostMessages
  /** The changes of messages since the events or fetches began to be applied. */
  let changes: MessageChange[] = []

  /** Runs a change of the store, and then notifies the listeners, all in one batch. */
  function changing(change: () => void, then?: () => void): void {
    batch(() => {
      try {
        change()
      } finally {
        const announced = changes
        changes = []
        for (const each of announced) for (const listener of listeners) listener(each)
        then?.()
      }
    })
  }

  function trim(): void {
    if (state.messages.current.size < trimFrom) return
    trimFrom = trimMessages(state, heldIds())
  }

  const heldIds = () => [...holders].flatMap((ids) => [...ids()])

  const state: State = {
    ...emptyCollections({ selfId, realm, settings }),
    clock,
    get dataId() {
      return state.realm.peek().server_data_id ?? null
    },
    tell: (change) => void changes.push(change),

    apply: (events: readonly FeatureEvent[]) =>
      changing(() => {
        for (const event of events) applyEvent(state, event)
      }, trim),
    addMessages: (messages) => changing(() => addFetched(state, messages)),
    takeSubscribers: (channelId, ids) =>
      state.subscribers.set(channelId, { ids: new Set(ids), all: true }),
    takePresences: (presences) =>
      batch(() => {
        for (const [userId, presence] of presences) state.presences.set(userId, presence)
      }),
    takeBots(bots) {
      state.realm.value = { ...state.realm.peek(), realm_bots: bots }
      state.areBotsKnown = true
    },
    holdMessages(ids) {
      holders.add(ids)
      return () => void holders.delete(ids)
    },
    onMessages(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    restart: (next) =>
      changing(() => {
        const { dataId } = state
        fill(state, next)
        if (state.dataId !== dataId) forgetAllBut(state, new Set(heldIds()))
        correctMessages(state)
        state.tell({ kind: 'restart' })
      }),
  }
  return state
}

/** What the store is about, before anything is in it. */
function emptyCollections({ selfId, realm, settings }: StoreBeginning) {
  const subscriptions: State['subscriptions'] = new Table()
  const topicPolicies: State['topicPolicies'] = new Table()
  const mutedUsers: State['mutedUsers'] = signal(new Set<number>())
  return {
    selfId,
    realm: signal(realm),
    settings: signal(settings),
    users: new Table(),
    groups: new Table(),
    channels: new Table(),
    subscriptions,
    subscribers: new Table(),
    folders: new Table(),
    messages: new Table(),
    newestId: 0,
    areBotsKnown: true,
    unreads: new UnreadModel({ subscriptions, topicPolicies, mutedUsers }),
    starred: signal(new Set<number>()),
    topicPolicies,
    mutedUsers,
    presences: new Table(),
    statuses: new Table(),
    typing: new Table(),
    editTyping: new Table(),
    recent: new RecentModel(),
    alertWords: signal<readonly string[]>([]),
    drafts: new Table(),
    snippets: new Table(),
    scheduled: new Table(),
    reminders: new Table(),
    navigationViews: new Table(),
    pins: new Table(),
    revisions: new Table(),
    stale: new Set(),
  } satisfies Partial<State>
}

const keptElsewhere: Readonly<Record<KeptElsewhere, true>> = {
  queue_id: true,
  last_event_id: true,
  realm_users: true,
  realm_non_active_users: true,
  cross_realm_bots: true,
  user_settings: true,
  subscriptions: true,
  unsubscribed: true,
  never_subscribed: true,
  channel_folders: true,
  realm_user_groups: true,
  recent_private_conversations: true,
  max_message_id: true,
  unread_msgs: true,
  starred_messages: true,
  user_topics: true,
  muted_users: true,
  user_status: true,
  presences: true,
  presence_last_update_id: true,
  server_timestamp: true,
  alert_words: true,
  drafts: true,
  saved_snippets: true,
  scheduled_messages: true,
  reminders: true,
  navigation_views: true,
}

function realmOf(reply: RegisterReply): Realm {
  const envelope = ['result', 'msg']
  const members = Object.entries(reply).filter(
    ([name]) => !(name in keptElsewhere) && !envelope.includes(name),
  )
  return Object.fromEntries(members) as unknown as Realm
}

/** Loads the data of a registration. */
function fill(state: State, reply: RegisterReply): void {
  const { selfId } = state
  state.realm.value = realmOf(reply)
  state.areBotsKnown = true
  state.settings.value = reply.user_settings
  state.newestId = reply.max_message_id
  setServerOffset(reply.server_timestamp - state.clock.now() / 1000)
  state.users.replace([
    ...reply.realm_users.map((user) => [user.user_id, userFromWire(user, true)] as const),
    ...reply.realm_non_active_users.map(
      (user) => [user.user_id, userFromWire(user, false)] as const,
    ),
    ...reply.cross_realm_bots.map((user) => [user.user_id, userFromWire(user, true)] as const),
  ])
  state.groups.replace(
    reply.realm_user_groups.map((group) => [group.id, groupFromWire(group)] as const),
  )
  fillChannels(state, reply)
  state.starred.value = new Set(reply.starred_messages)
  state.topicPolicies.replace(
    reply.user_topics.map((wire) => [
      conversationKey(topicConversation(wire.stream_id, wire.topic_name)),
      topicPolicyFromWire(wire),
    ]),
  )
  state.mutedUsers.value = new Set(reply.muted_users.map(({ id }) => id))
  state.unreads.reset(reply.unread_msgs, selfId)
  state.recent.reset(reply.recent_private_conversations, selfId)
  state.presences.replace(
    Object.entries(reply.presences).flatMap(([id, presence]) =>
      'active_timestamp' in presence ? [[Number(id), presenceFromWire(presence)] as const] : [],
    ),
  )
  state.statuses.replace(
    Object.entries(reply.user_status).flatMap(([id, wire]): [number, UserStatus][] => {
      const status = statusFromWire(wire)
      return status ? [[Number(id), status]] : []
    }),
  )
  state.typing.replace([])
  state.editTyping.replace([])
  state.alertWords.value = reply.alert_words
  state.drafts.replace(reply.drafts.map((draft) => [draft.id, draft]))
  state.snippets.replace(reply.saved_snippets.map((snippet) => [snippet.id, snippet]))
  state.scheduled.replace(
    reply.scheduled_messages.map((message) => [message.scheduled_message_id, message]),
  )
  state.reminders.replace(reply.reminders.map((reminder) => [reminder.reminder_id, reminder]))
  state.navigationViews.replace(reply.navigation_views.map((view) => [view.fragment, view]))
}

function fillChannels(state: State, reply: RegisterReply): void {
  const listed = [...reply.subscriptions, ...reply.unsubscribed, ...reply.never_subscribed]
  state.channels.replace(listed.map((channel) => [channel.stream_id, channelFromWire(channel)]))
  state.subscriptions.replace(
    reply.subscriptions.map((wire) => [wire.stream_id, subscriptionFromWire(wire)]),
  )
  state.subscribers.replace(listed.map((wire) => [wire.stream_id, subscribersFromWire(wire)]))
  state.folders.replace(reply.channel_folders.map((folder) => [folder.id, folder]))
}

/**
 * A backup was restored: what is known of a message may be about another one by now. Those that are
 * on the screen stay until they are fetched again.
 */
function forgetAllBut(state: State, held: ReadonlySet<number>): void {
  const known = [...state.messages.current.values()]
  state.recent.remove(known)
  for (const { id } of known) {
    if (held.has(id)) continue
    state.messages.delete(id)
    state.stale.delete(id)
  }
}

/** Known messages after events were missed: their flags are known, the rest is fetched again. */
function correctMessages(state: State): void {
  const isIncomplete = state.unreads.isIncomplete.peek()
  for (const message of [...state.messages.current.values()]) {
    state.stale.add(message.id)
    // The server lost it, as one does that a backup was restored to.
    if (message.id > state.newestId) state.recent.remove([message])
    const isRead = !state.unreads.has(message.id)
    // A registration does not tell them from others, and leaves out those where something is muted.
    if (mentionOf(message.flags) === 'wildcard') state.unreads.setMention([message.id], 'wildcard')
    const isStarred = state.starred.peek().has(message.id)
    let corrected: Message = message
    if (!(isRead && isIncomplete) && isRead !== message.flags.has('read')) {
      corrected = withFlag(corrected, 'read', isRead)
    }
    if (isStarred !== message.flags.has('starred')) {
      corrected = withFlag(corrected, 'starred', isStarred)
    }
    if (corrected !== message) state.messages.set(message.id, corrected)
  }
}
