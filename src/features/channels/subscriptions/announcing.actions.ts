import { type Channel, findChannel } from '#features/channels/channels/queries.ts'
import { postNotice } from '#features/messaging/messages/notices.actions.ts'
import { silentMention } from '#features/messaging/messages/quoting.ts'
import { realmSetting } from '#features/organization/realm/settings.queries.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Tx } from '#platform/store/write.ts'

/** The topic in which new channels are announced. */
const announcementTopic = 'new channels'

/** Announces new channels, except private ones, in the channel that the realm chose for it. */
export function announce(tx: Tx, { user, server }: Caller, created: readonly Channel[]): void {
  const target = findChannel(tx, realmSetting(tx, 'new_stream_announcements_stream_id'))
  const names = created.filter(({ isPrivate }) => !isPrivate).map(channelLink)
  if (!target || target.isArchived || names.length === 0) return
  const what =
    names.length === 1 ? `a new channel: ${names[0]}` : `new channels: ${names.join(', ')}`
  const content = `${silentMention(user)} created ${what}.`
  postNotice(tx, target, announcementTopic, { author: user, content, realmUrl: server.realmUrl })
}

/** A Markdown link to a channel. */
export function channelLink({ name }: Channel): string {
  return `#**${name}**`
}
