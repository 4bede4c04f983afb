import {
  type Conversation,
  conversationKey,
  type Message,
  type MessageFlag,
} from '#client/state/model.ts'
import type { Store } from '#client/state/store.ts'
import { isResolved } from '#shared/resolved-topics.ts'
import type { Narrow, Term } from './narrow.ts'
import { operatorName } from './operators.ts'

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

function matchesTerm(term: Term, message: Message, facts: MatchFacts): Matches {
  const matches = matchesOperand(term, message, facts)
  return term.negated && matches !== null ? !matches : matches
}

function matchesOperand({ operator, operand }: Term, message: Message, facts: MatchFacts): Matches {
  const { conversation } = message
  switch (operatorName(operator)) {
    case 'channel':
      if (typeof operand !== 'number') return null
      return conversation.kind === 'topic' && conversation.channelId === operand
    case 'topic':
      return conversation.kind === 'topic' && sameTopic(conversation.topic, String(operand))
    case 'dm':
      if (typeof operand !== 'object') return null
      return conversation.kind === 'direct' && sameIds(conversation.userIds, operand)
    case 'dm-including': {
      if (typeof operand !== 'object') return null
      if (conversation.kind !== 'direct') return false
      const people = [...conversation.userIds, facts.selfId]
      return operand.every((id) => people.includes(id))
    }
    case 'sender':
      return typeof operand === 'number' ? message.senderId === operand : null
    case 'is':
      return matchesState(String(operand), message, facts)
    case 'has':
      return operand === 'reaction' ? message.reactions.length > 0 : null
    case 'channels':
      return matchesChannelKind(String(operand), message, facts)
    case 'id':
      return message.id === Number(operand)
    case 'before':
      return message.timestamp < Number(operand)
    case 'after':
      return message.timestamp >= Number(operand)
    case 'near':
      return true
    default:
      return null
  }
}

function matchesState(state: string, message: Message, facts: MatchFacts): Matches {
  const { conversation, flags } = message
  switch (state) {
    case 'dm':
    case 'private':
      return conversation.kind === 'direct'
    case 'starred':
      return flags.has('starred')
    case 'mentioned':
      return isMentioned(message)
    case 'alerted':
      return flags.has('has_alert_word')
    case 'unread':
      return !flags.has('read')
    case 'followed':
      return facts.topicPolicies.peek(conversationKey(conversation))?.policy === 3
    case 'muted':
      return isTopicMuted(message, facts)
    case 'resolved':
      return conversation.kind === 'topic' && isResolved(conversation.topic)
    default:
      return null
  }
}

function matchesChannelKind(
  kind: string,
  { conversation }: Message,
  { channels }: MatchFacts,
): Matches {
  if (conversation.kind !== 'topic') return false
  const channel = channels.peek(conversation.channelId)
  if (!channel) return null
  if (kind === 'public') return !channel.isPrivate
  if (kind === 'web-public') return channel.isWebPublic
  return kind === 'archived' ? channel.isArchived : null
}

function sameTopic(a: string, b: string): boolean {
  return a === b || a.toLowerCase() === b.toLowerCase()
}

function sameIds(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i])
}
