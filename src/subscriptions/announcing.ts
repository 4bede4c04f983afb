import { type Channel, findChannel } from '#channels/queries.ts'
import type { Caller } from '#http/caller.ts'
import { postNotice, silently } from '#messages/notices.ts'
import { realmSetting } from '#realm/settings.ts'
import type { Tx } from '#store/write.ts'

/** The topic under which new channels are announced. */
const announcementTopic = 'new channels'

/** Has the new channels that everybody may know of announced where the realm wants it. */
export function announce(tx: Tx, { user, server }: Caller, created: readonly Channel[]): void {
  const place = findChannel(tx, realmSetting(tx, 'new_stream_announcements_stream_id'))
  const names = created.filter(({ isPrivate }) => !isPrivate).map(channelLink)
  if (!place || place.isArchived || names.length === 0) return
  const what =
    names.length === 1 ? `a new channel: ${names[0]}` : `new channels: ${names.join(', ')}`
  const content = `${silently(user)} created ${what}.`
  postNotice(tx, place, announcementTopic, { author: user, content, realmUrl: server.realmUrl })
}

/** How a notice speaks of a channel. */
export function channelLink({ name }: Channel): string {
  return `#**${name}**`
}
