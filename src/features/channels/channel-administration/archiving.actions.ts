import { emitUnarchived, markArchivedAsRead } from '#features/channels/subscriptions/actions.ts'
import { postChannelNotice } from '#features/channels/subscriptions/notices.actions.ts'
import { accessChannel } from '#features/foundation/channels/access.ts'
import { emitDefaultChannels, userCanSeeChannel } from '#features/foundation/channels/actions.ts'
import { archiveEvent, unarchiveEvent } from '#features/foundation/channels/events.ts'
import { channelJson } from '#features/foundation/channels/json.ts'
import { channelReturned } from '#features/foundation/channels/occasions.ts'
import {
  type Channel,
  findChannel,
  subscriberIds,
  updateChannel,
} from '#features/foundation/channels/queries.ts'
import { requireChannelAdmin } from '#features/foundation/channels/rules.ts'
import { trackGuestVisibility } from '#features/foundation/users/guest-visibility.actions.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'

/**
 * Archives a channel. Its readers keep access, but nobody can post in it. Subscriptions stay.
 * Clients that do not support archived channels see it deleted.
 *
 * @throws BAD_REQUEST the caller cannot see the channel, no permission, or already archived
 * @source Zulip API, "Archive a channel"; "Get events", type "stream" (feature level 378)
 */
export function archiveChannel(tx: Tx, caller: Caller, id: number): void {
  const channel = accessChannel(tx, caller, id)
  requireChannelAdmin(tx, caller.user, channel)
  if (channel.isArchived) throw badRequest(sentSentence('This channel is already archived.'))
  postChannelNotice(tx, caller, channel, ({ t }, name) =>
    t('{name} archived this channel.', { name }),
  )
  markArchivedAsRead(tx, channel)
  const visibility = trackSubscribers(tx, channel)
  const archived = updateChannel(tx, id, { isArchived: true, isDefault: false })
  tx.emit(archiveEvent(channel), (userId) => userCanSeeChannel(tx, userId, archived))
  visibility.emitChanges()
  if (channel.isDefault) emitDefaultChannels(tx)
}

/**
 * Unarchives a channel; its subscriptions are still there. The caller checks permission.
 *
 * @throws BAD_REQUEST it is not archived
 * @source Zulip API, "Update a channel" (feature level 388)
 */
export function unarchiveChannel(tx: Tx, caller: Caller, archived: Channel): Channel {
  if (!archived.isArchived) throw badRequest(sentSentence('This channel is not archived.'))
  const visibility = trackSubscribers(tx, archived)
  const channel = updateChannel(tx, archived.id, { isArchived: false })
  visibility.emitChanges()
  const event = unarchiveEvent(channel, channelJson(tx, channel))
  const isViewer = (userId: number) => userCanSeeChannel(tx, userId, channel)
  tx.emit(event, isViewer)
  tx.announce(channelReturned, { channel, isViewer })
  emitUnarchived(tx, channel)
  postChannelNotice(tx, caller, channel, ({ t }, name) =>
    t('{name} brought this channel back from the archive.', { name }),
  )
  return findChannel(tx, channel.id) ?? channel
}

/** Guests see the other subscribers of a channel only while it is not archived. */
function trackSubscribers(tx: Tx, channel: Channel) {
  return trackGuestVisibility(tx, () => {
    const members = subscriberIds(tx, channel.id)
    return [{ members, changing: members }]
  })
}
