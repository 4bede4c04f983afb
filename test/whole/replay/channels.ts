import assert from 'node:assert/strict'
import type { Channel, Json, Reduce, State } from './state.ts'

const lists = ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'] as const
type ListName = (typeof lists)[number]

/** What `stream`/`update` says of other properties than the one it names. */
const further = ['rendered_description', 'history_public_to_subscribers', 'is_web_public']

const everywhere = (state: State, id: unknown): Channel[] =>
  lists.flatMap((name) => state[name].filter(({ stream_id }) => stream_id === id))

function drop(state: State, name: ListName, id: number): void {
  state[name] = state[name].filter(({ stream_id }) => stream_id !== id)
}

function put(state: State, name: ListName, channel: Channel): void {
  const isKnown = state[name].some(({ stream_id }) => stream_id === channel.stream_id)
  assert.equal(isKnown, false, `channel ${channel.stream_id} is already in ${name}`)
  state[name] = [...state[name], structuredClone(channel)]
}

function changeSubscribers(
  state: State,
  id: number,
  change: (subscribers: Set<number>) => void,
): void {
  const channels = everywhere(state, id)
  for (const channel of channels) {
    if (!channel.subscribers) continue
    const subscribers = new Set(channel.subscribers)
    change(subscribers)
    channel.subscribers = [...subscribers].sort((a, b) => a - b)
    for (const other of channels) other.subscriber_count = subscribers.size
  }
}

export const channelReducers: Record<string, Reduce> = {
  'stream/create'(state, event) {
    for (const channel of event.streams as Channel[]) {
      put(state, 'streams', channel)
      put(state, 'never_subscribed', { ...channel, subscribers: [] })
    }
  },
  'stream/delete'(state, event) {
    state.max_message_id = undefined
    for (const id of event.stream_ids as number[]) {
      for (const name of lists) drop(state, name, id)
      state.user_topics = (state.user_topics as Json[]).filter((topic) => topic.stream_id !== id)
    }
  },
  'stream/update'(state, event) {
    // Who sees a channel may lose its messages, the newest among them.
    if (event.property === 'invite_only') state.max_message_id = undefined
    const channels = everywhere(state, event.stream_id)
    assert.ok(channels.length > 0, `channel ${event.stream_id} is unknown`)
    for (const channel of channels) {
      channel[event.property as string] = event.value
      for (const name of further) if (name in event) channel[name] = event[name]
    }
  },
  'subscription/add'(state, event) {
    for (const channel of event.subscriptions as Channel[]) {
      const id = channel.stream_id
      assert.ok(everywhere(state, id).length > 0, `channel ${id} is known before`)
      drop(state, 'never_subscribed', id)
      drop(state, 'unsubscribed', id)
      put(state, 'subscriptions', channel)
      for (const other of everywhere(state, id)) other.subscriber_count = channel.subscriber_count
    }
  },
  'subscription/remove'(state, event) {
    state.max_message_id = undefined
    for (const { stream_id } of event.subscriptions as Channel[]) {
      const channel = state.subscriptions.find((known) => known.stream_id === stream_id)
      assert.ok(channel, `subscribed to ${stream_id} before`)
      drop(state, 'subscriptions', stream_id)
      put(state, 'unsubscribed', channel)
      changeSubscribers(state, stream_id, (ids) => void ids.delete(state.user_id))
    }
  },
  'subscription/update'(state, event) {
    const channel = [...state.subscriptions, ...state.unsubscribed].find(
      ({ stream_id }) => stream_id === event.stream_id,
    )
    assert.ok(channel)
    channel[event.property as string] = event.value
  },
  'subscription/peer_add'(state, event) {
    for (const id of event.stream_ids as number[]) {
      assert.ok(everywhere(state, id).length > 0, `peers of a known channel, not of ${id}`)
      changeSubscribers(state, id, (ids) => {
        for (const userId of event.user_ids as number[]) {
          assert.ok(!ids.has(userId), `${userId} is not subscribed to ${id} yet`)
          ids.add(userId)
        }
      })
    }
  },
  'subscription/peer_remove'(state, event) {
    for (const id of event.stream_ids as number[]) {
      changeSubscribers(state, id, (ids) => {
        for (const userId of event.user_ids as number[]) {
          assert.ok(ids.delete(userId), `${userId} was subscribed to ${id}`)
        }
      })
    }
  },
  default_streams(state, event) {
    state.realm_default_streams = event.default_streams
  },
}
