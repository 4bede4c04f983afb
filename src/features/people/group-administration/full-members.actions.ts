import { type Channel, listChannelsOpenedBy } from '#features/foundation/channels/queries.ts'
import {
  emitChannelVisibility,
  usersWhoCanSee,
} from '#features/foundation/channels/visibility.actions.ts'
import { groupMembersEvent } from '#features/foundation/groups/events.ts'
import { listDirectMembers } from '#features/foundation/groups/queries.ts'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import { trackStars } from '#features/messaging/messages/flags/stars.actions.ts'
import { fixedClock, seconds } from '#platform/clock.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import type { Tx } from '#platform/store/store.ts'

import { emittedUntil, setEmittedUntil } from './full-members.queries.ts'

/** Remembers the full members before the waiting period changes. */
export function trackFullMembers(tx: Tx): { emitChanges(): void } {
  const before = snapshotBefore(tx)
  return {
    emitChanges() {
      emitMembershipChanges(tx, before)
      wakeJobs(tx)
    },
  }
}

/** Emits the users who became full members since the last such event. */
export function emitNewFullMembers(tx: Tx): void {
  emitMembershipChanges(tx, snapshotBefore(atTime(tx, emittedUntil(tx))))
}

/** The same transaction with its clock stopped at a time, in seconds since the epoch. */
function atTime(tx: Tx, time: number): Tx {
  return { ...tx, clock: fixedClock(time * 1000) }
}

interface Snapshot {
  readonly members: ReadonlySet<number>
  /** By id, the channels that full members can see, and the online users who can see each. */
  readonly channels: ReadonlyMap<number, { channel: Channel; viewers: ReadonlySet<number> }>
}

/** A snapshot from before a change, with the starred messages in its channels. */
interface Before extends Snapshot {
  readonly stars: ReturnType<typeof trackStars>
}

function snapshotBefore(tx: Tx): Before {
  const before = snapshot(tx)
  const channels = Array.from(before.channels.values(), ({ channel }) => channel)
  return { ...before, stars: trackStars(tx, channels.length === 0 ? [] : tx.liveUsers, channels) }
}

function snapshot(tx: Tx): Snapshot {
  const group = systemGroupId(tx, 'role:fullmembers')
  const channels = listChannelsOpenedBy(tx, group)
  return {
    members: new Set(listDirectMembers(tx, group)),
    channels: new Map(
      channels.map((channel) => [
        channel.id,
        { channel, viewers: usersWhoCanSee(tx, tx.liveUsers, channel) },
      ]),
    ),
  }
}

function emitMembershipChanges(tx: Tx, before: Before): void {
  const group = systemGroupId(tx, 'role:fullmembers')
  const now = snapshot(tx)
  const joined = [...now.members].filter((id) => !before.members.has(id))
  const left = [...before.members].filter((id) => !now.members.has(id))
  const everybody = () => true
  if (joined.length > 0) tx.emit(groupMembersEvent('add_members', group, joined), everybody)
  if (left.length > 0) tx.emit(groupMembersEvent('remove_members', group, left), everybody)
  for (const [id, { channel, viewers }] of now.channels) {
    emitChannelVisibility(tx, channel, before.channels.get(id)?.viewers ?? new Set(), viewers)
  }
  before.stars.emitChanges(tx)
  const until = seconds(tx.clock)
  tx.afterCommit(() => setEmittedUntil(tx, until))
}
