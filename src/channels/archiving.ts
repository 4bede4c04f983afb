import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import type { Tx } from '#store/write.ts'
import { readArchived, tellOfReturn } from '#subscriptions/actions.ts'
import { watchSight } from '#users/sight.ts'
import { accessChannel } from './access.ts'
import { mayKnow, tellDefaults } from './actions.ts'
import { archiveEvent, unarchiveEvent } from './events.ts'
import { channelJson } from './json.ts'
import { tellChannel } from './notices.ts'
import { type Channel, findChannel, subscriberIds, updateChannel } from './queries.ts'
import { requireChannelAdmin } from './rules.ts'

/**
 * Archives a channel: it can be read by those who could before, but nobody writes in it, and
 * clients that do not know archived channels lose sight of it. Subscriptions stay.
 *
 * @throws BAD_REQUEST no such channel for the caller, no permission, or archived already
 * @source the API description's `archive-stream`; api-changes §4 (feature level 378)
 */
export function archiveChannel(tx: Tx, caller: Caller, id: number): void {
  const channel = accessChannel(tx, caller, id)
  requireChannelAdmin(tx, caller.user, channel)
  if (channel.isArchived) throw badRequest('This channel is archived already.')
  tellChannel(tx, caller, channel, 'archived this channel.')
  readArchived(tx, channel)
  const sight = watchSubscribers(tx, channel)
  const archived = updateChannel(tx, id, { isArchived: true, isDefault: false })
  tx.emit(archiveEvent(channel), (userId) => mayKnow(tx, userId, archived))
  sight.tell()
  if (channel.isDefault) tellDefaults(tx)
}

/**
 * Brings an archived channel back, with its subscribers. Permission is the caller's to ask.
 *
 * @throws BAD_REQUEST: it is not archived
 * @source api-changes §3b (feature level 388), §4 (feature level 378)
 */
export function unarchiveChannel(tx: Tx, caller: Caller, archived: Channel): Channel {
  if (!archived.isArchived) throw badRequest('This channel is not archived.')
  const sight = watchSubscribers(tx, archived)
  const channel = updateChannel(tx, archived.id, { isArchived: false })
  sight.tell()
  const event = unarchiveEvent(channel, channelJson(tx, channel))
  tx.emit(event, (userId) => mayKnow(tx, userId, channel))
  tellOfReturn(tx, channel)
  tellChannel(tx, caller, channel, 'brought this channel back from the archive.')
  return findChannel(tx, channel.id) ?? channel
}

/** Guests know of those they share a channel with only while it is not archived. */
function watchSubscribers(tx: Tx, channel: Channel) {
  return watchSight(tx, () => {
    const members = subscriberIds(tx, channel.id)
    return [{ members, changing: members }]
  })
}
