import type { Api } from '#client/api/api.ts'
import type { EventNamed, FeatureEvent, UserSettings } from '#client/api/wire.ts'
import { subscriptionNames } from './from-wire.ts'
import type { Conversation, Reaction, UserStatus, VisibilityPolicy } from './model.ts'
import { conversationKey } from './model.ts'
import { isSame } from './reactions.ts'
import type { Store } from './store.ts'

/**
 * Optimistic changes. Each applies the events that the server will send, calls the server, and
 * applies the opposite if that fails.
 *
 * @throws CallError after the change was undone
 */
export interface Changes {
  setStarred(messageIds: readonly number[], areStarred: boolean): Promise<void>
  setCollapsed(messageIds: readonly number[], areCollapsed: boolean): Promise<void>
  setRead(messageIds: readonly number[], areRead: boolean): Promise<void>
  addReaction(messageId: number, emoji: ReactionEmoji): Promise<void>
  removeReaction(messageId: number, emoji: ReactionEmoji): Promise<void>
  changeSubscription<P extends SubscriptionProperty>(
    channelId: number,
    property: P,
    value: boolean | string | null,
  ): Promise<void>
  setTopicPolicy(channelId: number, topic: string, policy: VisibilityPolicy): Promise<void>
  changeSetting<N extends keyof UserSettings>(name: N, value: UserSettings[N]): Promise<void>
  /** Several together. */
  changeSettings(values: Partial<UserSettings>): Promise<void>
  setMuted(userId: number, isMuted: boolean): Promise<void>
  /** Undefined clears the status. */
  setStatus(status: UserStatus | undefined): Promise<void>
  /** Whether the server has answered about all of them. */
  isSettled(): boolean
}

export type ReactionEmoji = Omit<Reaction, 'userId'>
export type SubscriptionProperty = keyof typeof subscriptionNames

/** An event that the server did not send. */
const local = { id: -1 } as const

export function createChanges(api: Api, store: Store): Changes {
  return new OptimisticChanges(api, store)
}

class OptimisticChanges implements Changes {
  readonly #api: Api
  readonly #store: Store
  #pending = 0

  constructor(api: Api, store: Store) {
    this.#api = api
    this.#store = store
  }

  isSettled(): boolean {
    return this.#pending === 0
  }

  setStarred(ids: readonly number[], areStarred: boolean): Promise<void> {
    return this.#setFlag('starred', ids, areStarred)
  }

  setCollapsed(ids: readonly number[], areCollapsed: boolean): Promise<void> {
    return this.#setFlag('collapsed', ids, areCollapsed)
  }

  setRead(ids: readonly number[], areRead: boolean): Promise<void> {
    return this.#setFlag('read', ids, areRead)
  }

  addReaction(messageId: number, emoji: ReactionEmoji): Promise<void> {
    return this.#react('add', messageId, emoji)
  }

  removeReaction(messageId: number, emoji: ReactionEmoji): Promise<void> {
    return this.#react('remove', messageId, emoji)
  }

  async changeSubscription<P extends keyof typeof subscriptionNames>(
    channelId: number,
    property: P,
    value: string | boolean | null,
  ): Promise<void> {
    const subscription = this.#store.subscriptions.peek(channelId)
    if (!subscription) return
    const before = subscription[subscriptionNames[property]]
    const event = (value: boolean | string | null) =>
      [
        { ...local, type: 'subscription', op: 'update', stream_id: channelId, property, value },
      ] satisfies FeatureEvent[]
    await this.#change(event(value), event(before), () =>
      this.#api.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: channelId, property, value }],
      }),
    )
  }

  async setTopicPolicy(channelId: number, topic: string, policy: VisibilityPolicy): Promise<void> {
    const key = conversationKey({ kind: 'topic', channelId, topic })
    const before = this.#store.topicPolicies.peek(key)?.policy ?? 0
    const event = (visibility_policy: VisibilityPolicy) =>
      [
        {
          ...local,
          type: 'user_topic',
          stream_id: channelId,
          topic_name: topic,
          last_updated: 0,
          visibility_policy,
        },
      ] satisfies FeatureEvent[]
    await this.#change(event(policy), event(before), () =>
      this.#api.post('/user_topics', { stream_id: channelId, topic, visibility_policy: policy }),
    )
  }

  changeSetting<N extends keyof UserSettings>(name: N, value: UserSettings[N]): Promise<void> {
    return this.changeSettings({ [name]: value })
  }

  async changeSettings(values: Partial<UserSettings>): Promise<void> {
    const before = this.#store.settings.peek()
    const events = (from: Partial<UserSettings>) =>
      (Object.keys(values) as (keyof UserSettings)[]).map((property) => {
        const value = from[property]
        return { ...local, type: 'user_settings', op: 'update', property, value } as const
      }) satisfies FeatureEvent[]
    await this.#change(events(values), events(before), () => this.#api.patch('/settings', values))
  }

  async setMuted(userId: number, isMuted: boolean): Promise<void> {
    const before = [...this.#store.mutedUsers.peek()]
    const others = before.filter((id) => id !== userId)
    const event = (ids: readonly number[]) =>
      [
        { ...local, type: 'muted_users', muted_users: ids.map((id) => ({ id, timestamp: 0 })) },
      ] satisfies FeatureEvent[]
    const path = `/users/me/muted_users/${userId}`
    await this.#change(event(isMuted ? [...others, userId] : others), event(before), () =>
      isMuted ? this.#api.post(path) : this.#api.delete(path),
    )
  }

  async setStatus(status: UserStatus | undefined): Promise<void> {
    const before = this.#store.statuses.peek(this.#store.selfId)
    const event = (value: UserStatus | undefined) =>
      [
        { ...local, type: 'user_status', user_id: this.#store.selfId, ...wireStatus(value) },
      ] satisfies FeatureEvent[]
    await this.#change(event(status), event(before), () =>
      this.#api.post('/users/me/status', wireStatus(status)),
    )
  }

  /** @param undo made before the change, from the values that it overwrites */
  async #change(
    apply: readonly FeatureEvent[],
    undo: readonly FeatureEvent[],
    call: () => Promise<unknown>,
  ): Promise<void> {
    this.#store.apply(apply)
    this.#pending += 1
    try {
      await call()
    } catch (error) {
      this.#store.apply(undo)
      throw error
    } finally {
      this.#pending -= 1
    }
  }

  async #setFlag(
    flag: 'read' | 'starred' | 'collapsed',
    asked: readonly number[],
    isSet: boolean,
  ): Promise<void> {
    const messages = asked.filter((id) => hasFlag(this.#store, id, flag) !== isSet)
    if (messages.length === 0) return
    const add = flagEvent(this.#store, 'add', flag, messages)
    const remove = flagEvent(this.#store, 'remove', flag, messages)
    const op = isSet ? 'add' : 'remove'
    await this.#change(isSet ? [add] : [remove], isSet ? [remove] : [add], () =>
      this.#api.post('/messages/flags', { messages, op, flag }),
    )
  }

  async #react(op: 'add' | 'remove', messageId: number, emoji: ReactionEmoji) {
    const vote = { ...emoji, userId: this.#store.selfId }
    const isThere = this.#store.messages.peek(messageId)?.reactions.some((one) => isSame(one, vote))
    if (isThere === (op === 'add')) return
    const event = (op: 'add' | 'remove') => [reactionEvent(this.#store, op, messageId, vote)]
    const path = `/messages/${messageId}/reactions`
    const params = {
      emoji_name: emoji.name,
      emoji_code: emoji.code,
      reaction_type: emoji.type,
    }
    await this.#change(event(op), event(op === 'add' ? 'remove' : 'add'), () =>
      op === 'add' ? this.#api.post(path, params) : this.#api.delete(path, params),
    )
  }
}

function wireStatus(status: UserStatus | undefined) {
  const { text = '', emojiName = '', emojiCode = '', reactionType = '' } = status ?? {}
  const type = emojiName === '' ? '' : reactionType
  return {
    status_text: text,
    emoji_name: emojiName,
    emoji_code: emojiCode,
    reaction_type: type,
    scheduled_end_time: status?.endsAt ?? null,
  }
}

function hasFlag(store: Store, id: number, flag: 'read' | 'starred' | 'collapsed'): boolean {
  if (flag === 'starred') return store.starred.peek().has(id)
  if (flag === 'collapsed') return store.messages.peek(id)?.flags.has('collapsed') ?? false
  if (store.unreads.find(id)) return false
  return store.messages.peek(id)?.flags.has('read') ?? true
}

/** The event of a flag, with the conversations of messages that become unread. */
export function flagEvent(
  store: Store,
  op: 'add' | 'remove',
  flag: 'read' | 'starred' | 'collapsed',
  messages: readonly number[],
): FeatureEvent {
  const type = 'update_message_flags' as const
  const event = { ...local, type, flag, messages: [...messages] }
  if (op === 'add') return { ...event, op, operation: op, all: false }
  const details = flag === 'read' ? { message_details: unreadDetails(store, messages) } : {}
  return { ...event, op, operation: op, all: false, ...details }
}

type UnreadDetails = NonNullable<EventNamed<'update_message_flags/remove'>['message_details']>

function unreadDetails(store: Store, ids: readonly number[]): UnreadDetails {
  const mentions = store.unreads.mentions.peek()
  const entries = ids.flatMap((id): [string, UnreadDetails[string]][] => {
    const message = store.messages.peek(id)
    const conversation = message?.conversation ?? store.unreads.find(id)
    if (!conversation) return []
    const isMention = mentions.has(id) || message?.flags.has('mentioned')
    const mentioned = isMention ? ({ mentioned: true } as const) : {}
    return [[String(id), { ...mentioned, ...placeOf(conversation) }]]
  })
  return Object.fromEntries(entries)
}

function placeOf(conversation: Conversation) {
  if (conversation.kind === 'direct') {
    return { type: 'private' as const, user_ids: [...conversation.userIds] }
  }
  const { channelId, topic } = conversation
  return { type: 'stream' as const, stream_id: channelId, topic }
}

function reactionEvent(
  store: Store,
  op: 'add' | 'remove',
  messageId: number,
  vote: Reaction,
): FeatureEvent {
  const { user_id, email, full_name } = store.realm.peek()
  return {
    ...local,
    type: 'reaction',
    op,
    message_id: messageId,
    user_id: vote.userId,
    user: { user_id, email, full_name },
    emoji_name: vote.name,
    emoji_code: vote.code,
    reaction_type: vote.type,
  }
}
