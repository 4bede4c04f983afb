import {
  type Channel,
  type Conversation,
  conversationKey,
  type Message,
  type MessageFlag,
} from '#client/state/model.ts'
import type { Store } from '#client/state/store.ts'
import { isResolved } from '#shared/resolved-topics.ts'
import type { Narrow, Term } from './narrow.ts'
import { type ChannelsKind, entryOf, type OperatorName, type State } from './operators.ts'

/** The parts of the store that decide whether a message belongs to a narrow. */
export type MatchFacts = Pick<Store, 'selfId' | 'channels' | 'subscriptions' | 'topicPolicies'>

/** Null: only the server knows, as for the words of a search. */
export type Matches = boolean | null

/** Whether a message that the user has belongs to a narrow. It agrees with the server's answer. */
export function containsMessage(narrow: Narrow, message: Message, facts: MatchFacts): Matches {
  const { conversation } = message
  switch (narrow.kind) {
    case 'all':
      return true
    case 'channel':
    case 'topic':
    case 'direct':
    case 'all-direct':
      return containsConversation(narrow, conversation)
    case 'mentions':
      return isMentioned(message)
    case 'starred':
      return message.flags.has('starred')
    case 'reactions':
      return message.senderId === facts.selfId && message.reactions.length > 0
    case 'search':
      return all(narrow.terms.map((term) => matchesTerm(term, message, facts)))
  }
}

/** Narrows whose messages are those of whole conversations. */
export type ConversationNarrow = Extract<
  Narrow,
  { readonly kind: 'channel' | 'topic' | 'direct' | 'all-direct' }
>

/** Whether the messages of a conversation belong to a narrow. */
export function containsConversation(
  narrow: ConversationNarrow,
  conversation: Conversation,
): boolean {
  switch (narrow.kind) {
    case 'channel':
      return conversation.kind === 'topic' && conversation.channelId === narrow.channelId
    case 'topic':
      return (
        conversation.kind === 'topic' &&
        conversation.channelId === narrow.channelId &&
        sameTopic(conversation.topic, narrow.topic)
      )
    case 'direct':
      return conversation.kind === 'direct' && sameIds(conversation.userIds, narrow.userIds)
    case 'all-direct':
      return conversation.kind === 'direct'
  }
}

/** Whether a view shows new messages of a conversation. */
export function showsConversation(narrow: Narrow, conversation: Conversation): boolean {
  switch (narrow.kind) {
    case 'all':
      return true
    case 'channel':
    case 'topic':
    case 'direct':
    case 'all-direct':
      return containsConversation(narrow, conversation)
    default:
      return false
  }
}

const mentionFlags: readonly MessageFlag[] = [
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'wildcard_mentioned',
]

function isMentioned({ flags }: Pick<Message, 'flags'>): boolean {
  return mentionFlags.some((flag) => flags.has(flag))
}

/** Whether the policies of topic and channel mute the message. */
export function isTopicMuted(
  { conversation }: Pick<Message, 'conversation'>,
  { subscriptions, topicPolicies }: Pick<Store, 'subscriptions' | 'topicPolicies'>,
): boolean {
  if (conversation.kind === 'direct') return false
  const policy = topicPolicies.peek(conversationKey(conversation))?.policy ?? 0
  if (policy !== 0) return policy === 1
  return subscriptions.peek(conversation.channelId)?.isMuted ?? false
}

function all(matches: readonly Matches[]): Matches {
  if (matches.includes(false)) return false
  return matches.includes(null) ? null : true
}

function matchesTerm({ operator, operand, negated }: Term, message: Message, facts: MatchFacts) {
  const matches = matchers[operator](operand, message, facts)
  return negated && matches !== null ? !matches : matches
}

type Matcher = (operand: Term['operand'], message: Message, facts: MatchFacts) => Matches

const matchers: Readonly<Record<OperatorName, Matcher>> = {
  channel: (operand, { conversation }) =>
    typeof operand === 'number'
      ? conversation.kind === 'topic' && conversation.channelId === operand
      : null,
  channels: matchesChannelKind,
  topic: (operand, { conversation }) =>
    conversation.kind === 'topic' && sameTopic(conversation.topic, String(operand)),
  dm: (operand, { conversation }) =>
    typeof operand === 'object'
      ? conversation.kind === 'direct' && sameIds(conversation.userIds, operand)
      : null,
  'dm-including': (operand, { conversation }, { selfId }) => {
    if (typeof operand !== 'object') return null
    if (conversation.kind !== 'direct') return false
    const people = [...conversation.userIds, selfId]
    return operand.every((id) => people.includes(id))
  },
  sender: (operand, { senderId }) => (typeof operand === 'number' ? senderId === operand : null),
  is: (operand, message, facts) => entryOf(states, operand)?.(message, facts) ?? null,
  has: (operand, { reactions }) => (operand === 'reaction' ? reactions.length > 0 : null),
  id: (operand, { id }) => id === Number(operand),
  before: (operand, { timestamp }) => timestamp < Number(operand),
  after: (operand, { timestamp }) => timestamp >= Number(operand),
  near: () => true,
  with: () => null,
  search: () => null,
}

const states: Readonly<Record<State, (message: Message, facts: MatchFacts) => boolean>> = {
  dm: ({ conversation }) => conversation.kind === 'direct',
  starred: ({ flags }) => flags.has('starred'),
  mentioned: isMentioned,
  alerted: ({ flags }) => flags.has('has_alert_word'),
  unread: ({ flags }) => !flags.has('read'),
  followed: ({ conversation }, { topicPolicies }) =>
    topicPolicies.peek(conversationKey(conversation))?.policy === 3,
  muted: isTopicMuted,
  resolved: ({ conversation }) => conversation.kind === 'topic' && isResolved(conversation.topic),
}

function matchesChannelKind(
  operand: Term['operand'],
  { conversation }: Message,
  { channels }: MatchFacts,
): Matches {
  if (conversation.kind !== 'topic') return false
  const channel = channels.peek(conversation.channelId)
  return (channel && entryOf(channelKinds, operand)?.(channel)) ?? null
}

const channelKinds: Readonly<Record<ChannelsKind, (channel: Channel) => boolean>> = {
  public: ({ isPrivate }) => !isPrivate,
  'web-public': ({ isWebPublic }) => isWebPublic,
  archived: ({ isArchived }) => isArchived,
}

function sameTopic(a: string, b: string): boolean {
  return a === b || a.toLowerCase() === b.toLowerCase()
}

function sameIds(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i])
}
