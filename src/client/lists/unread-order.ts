import type { View } from '#client/narrow/narrow.ts'
import { type Conversation, conversationKey } from '#client/state/model.ts'
import type { Store } from '#client/state/store.ts'
import { channelSections } from './channel-sections.ts'

/**
 * The unread conversation after the one that is shown: topics by channel as the side bar has them,
 * then the one unread longest; muted ones never.
 */
export function nextUnread(
  store: Store,
  view: View,
  kind: 'topic' | 'followed' | 'direct',
): Conversation | undefined {
  const order = channelOrder(store)
  const position = ({ conversation }: { conversation: Conversation }) =>
    conversation.kind === 'topic' ? order.indexOf(conversation.channelId) : -1
  const unread = store.unreads.conversations
    .peek()
    .filter(({ conversation, isMuted }) => {
      if (kind === 'direct') return conversation.kind === 'direct'
      if (conversation.kind !== 'topic' || isMuted) return false
      return (
        kind === 'topic' || store.topicPolicies.peek(conversationKey(conversation))?.policy === 3
      )
    })
    .toSorted((a, b) => position(a) - position(b) || a.newestId - b.newestId)
    .map(({ conversation }) => conversation)
  const here = shownIn(view)
  const at = here ? unread.findIndex((each) => conversationKey(each) === conversationKey(here)) : -1
  if (at >= 0) return unread.length > 1 ? unread[(at + 1) % unread.length] : undefined
  const from = here?.kind === 'topic' ? order.indexOf(here.channelId) : -1
  return unread.find((conversation) => position({ conversation }) >= from) ?? unread[0]
}

/** The subscribed channel before or after the one that is shown. */
export function neighbourChannel(store: Store, view: View, step: 1 | -1): number | undefined {
  const order = channelOrder(store)
  const here = shownIn(view)
  const shown =
    here?.kind === 'topic'
      ? here.channelId
      : view.kind === 'messages' && view.narrow.kind === 'channel'
        ? view.narrow.channelId
        : undefined
  const at = shown === undefined ? -1 : order.indexOf(shown)
  if (at < 0) return step === 1 ? order[0] : order.at(-1)
  return order[(at + step + order.length) % order.length]
}

function shownIn(view: View): Conversation | undefined {
  if (view.kind !== 'messages') return undefined
  const { narrow } = view
  return narrow.kind === 'topic' || narrow.kind === 'direct' ? narrow : undefined
}

/** Subscribed channels, in the order of the side bar, but for unread ones: none is met twice as they are read. */
function channelOrder(store: Store): number[] {
  return channelSections(store).flatMap(({ channels }) => channels.map(({ channel }) => channel.id))
}
