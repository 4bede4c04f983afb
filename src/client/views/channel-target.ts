import type { App } from '#client/app.ts'
import { topicsOf } from '#client/lists/topics.ts'
import type { View } from '#client/narrow/narrow.ts'

/** The target of a click on a channel, by the user's setting `web_channel_default_view`. */
export function channelTarget({ store }: App, channelId: number): View {
  const feed: View = { kind: 'messages', narrow: { kind: 'channel', channelId } }
  switch (store.settings.value.web_channel_default_view) {
    case 1:
    case 4: {
      const topics = topicsOf(store, channelId).filter(({ isMuted }) => !isMuted)
      const unread = topics.find(({ count }) => count > 0)
      const wantsUnread = store.settings.value.web_channel_default_view === 4
      // A bot's newest notice is rarely where one wants to answer.
      const topic =
        (wantsUnread && unread) ||
        topics.find(({ newestId }) => !isOfBot(store, newestId)) ||
        topics[0]
      return topic ? { kind: 'messages', narrow: topic.conversation } : feed
    }
    case 3:
      return { kind: 'topics', channelId }
    default:
      return feed
  }
}

function isOfBot({ messages, users }: App['store'], messageId: number): boolean {
  return users.peek(messages.peek(messageId)?.senderId ?? 0)?.isBot ?? false
}
