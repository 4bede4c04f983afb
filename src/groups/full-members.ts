import { type Channel, listChannelsOpenedBy } from '#channels/queries.ts'
import { knowers, tellOfSight } from '#channels/witnesses.ts'
import { fixedClock, seconds } from '#clock.ts'
import type { Job } from '#jobs/jobs.ts'
import { wakeJobs } from '#jobs/wake.ts'
import { systemGroupId } from '#permissions/groups.ts'
import { realmSetting } from '#realm/settings.ts'
import { prepared, preparedSql } from '#store/prepared.ts'
import type { Read, Tx } from '#store/write.ts'
import { roles } from '#users/queries.ts'
import { groupMembersEvent } from './events.ts'
import { listDirectMembers } from './queries.ts'

/** Until when clients know who is a full member; seconds. In memory, for queues are too. */
const told = prepared(() => ({ until: undefined as number | undefined }))

function toldUntil(read: Read): number {
  const state = told(read)
  state.until ??= seconds(read.clock)
  return state.until
}

const nextJoined = preparedSql<{ dateJoined: number | null }>(`
  SELECT min(date_joined) AS dateJoined FROM users
  WHERE date_joined > @after AND is_active AND role = ${roles.member}
`)

const daySeconds = 24 * 3600

/** Tells clients of those who became full members because their waiting period is over. */
export const promoteMembers: Job = {
  name: 'tell of new full members',
  dueAt(read) {
    const wait = realmSetting(read, 'waiting_period_threshold') * daySeconds
    if (wait === 0) return undefined
    const after = toldUntil(read) - wait
    const next = nextJoined(read).get({ after })?.dateJoined
    return next ? next + wait : undefined
  },
  async run({ store }) {
    await store.write((tx) => tellChanges(tx, picture(atTime(tx, toldUntil(tx)))))
  },
}

/** Remembers who is a full member, before the waiting period changes. */
export function watchFullMembers(tx: Tx): { tell(): void } {
  const before = picture(tx)
  return {
    tell() {
      tellChanges(tx, before)
      wakeJobs(tx)
    },
  }
}

/** The same database, at another time. */
function atTime(tx: Tx, time: number): Tx {
  return { ...tx, clock: fixedClock(time * 1000) }
}

interface Picture {
  readonly members: ReadonlySet<number>
  /** The channels that full members may know of, and who of those with a live queue does. */
  readonly channels: ReadonlyMap<number, { channel: Channel; known: ReadonlySet<number> }>
}

function picture(tx: Tx): Picture {
  const group = systemGroupId(tx, 'role:fullmembers')
  const channels = listChannelsOpenedBy(tx, group)
  return {
    members: new Set(listDirectMembers(tx, group)),
    channels: new Map(
      channels.map((channel) => [
        channel.id,
        { channel, known: knowers(tx, tx.liveUsers, channel) },
      ]),
    ),
  }
}

function tellChanges(tx: Tx, before: Picture): void {
  const group = systemGroupId(tx, 'role:fullmembers')
  const now = picture(tx)
  const joined = [...now.members].filter((id) => !before.members.has(id))
  const left = [...before.members].filter((id) => !now.members.has(id))
  const everybody = () => true
  if (joined.length > 0) tx.emit(groupMembersEvent('add_members', group, joined), everybody)
  if (left.length > 0) tx.emit(groupMembersEvent('remove_members', group, left), everybody)
  for (const [id, { channel, known }] of now.channels) {
    tellOfSight(tx, channel, before.channels.get(id)?.known ?? new Set(), known)
  }
  const until = seconds(tx.clock)
  tx.afterCommit(() => {
    told(tx).until = until
  })
}
