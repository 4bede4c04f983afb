import type { Channel } from '#features/foundation/channels/queries.ts'
import { listUsers, roles, type User } from '#features/foundation/users/queries.ts'
import type { HistoryScope } from '#features/organization/exports/history/scopes.ts'
import {
  type Selection,
  selectHistory,
} from '#features/organization/exports/history/selection.queries.ts'
import { seconds } from '#platform/clock.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'
import { clientName, recipientTypes, sharedBots, type ZulipRelease } from './format.ts'
import { listIdle } from './idle.queries.ts'
import { createNotes, type Notes } from './notes.ts'

/** A recipient in the export. */
export interface ExportedRecipient {
  readonly id: number
  readonly type: (typeof recipientTypes)[keyof typeof recipientTypes]
  /** The ID of the person, the channel or the group of people. */
  readonly typeId: number
}

/** A direct conversation that is a group of people in the export. */
export interface Huddle extends ExportedRecipient {
  /** Ascending. */
  readonly members: readonly number[]
}

/** The data that the parts of an export share: who and what is in it, and their IDs. */
export interface Plan {
  readonly read: Read
  readonly release: ZulipRelease
  /** The host of this server, for addresses that stand for those that Zulip refuses. */
  readonly host: string
  readonly selection: Selection
  /** All accounts that are written: none of the server's own bots. */
  readonly people: readonly User[]
  /** An owner, for what must belong to someone there. */
  readonly owner: number
  /** The server's own bots that Zulip has as well, by name. */
  readonly bots: ReadonlyMap<(typeof sharedBots)[number], User>
  /** By ID, with the server's own bots. */
  readonly users: ReadonlyMap<number, User>
  readonly channels: ReadonlyMap<number, Channel>
  /** The recipients of people, by user: only release 11 has them. */
  readonly persons: ReadonlyMap<number, ExportedRecipient>
  /** The channels' recipients, by our recipient. */
  readonly channelTargets: ReadonlyMap<number, ExportedRecipient>
  /** By our recipient. */
  readonly huddles: ReadonlyMap<number, Huddle>
  /** The members of conversations of one or two, by our recipient; release 11 only. */
  readonly pairs: ReadonlyMap<number, readonly number[]>
  /** The IDs of clients by name, so far. */
  readonly clients: ReadonlyMap<string, number>
  /** The people whose name nobody else has, by name. */
  readonly uniqueNames: ReadonlyMap<string, number>
  /**
   * The people for whom Zulip makes rows of messages only when they come back. What has no row is
   * read.
   */
  readonly idle: ReadonlySet<number>
  readonly notes: Notes
  /** The user that replaces another: the notification bot for our own bots that Zulip lacks. */
  shown(userId: number): number
  /** The ID of a client, which is new if its name is. */
  client(name: string): number
}

const conversations = preparedSql<{ id: number; members: string }>(
  'SELECT id, direct_key AS members FROM recipients WHERE direct_key IS NOT NULL ORDER BY id',
)

const isOwner = ({ botType, isActive, role }: User) =>
  role === roles.owner && isActive && botType === null

/** @param read a copy of the database that nobody changes */
export function planExport(
  read: Read,
  { host, release, scope }: { host: string; release: ZulipRelease; scope: HistoryScope },
): Plan {
  const selection = selectHistory(read, scope)
  const all = listUsers(read)
  const people = all.filter(({ isSystemBot }) => !isSystemBot)
  const bots = sharedBotsAmong(all)
  const users = new Map(all.map((user) => [user.id, user]))
  const shared = new Set(bots.values())
  const shown = (userId: number): number => {
    const user = users.get(userId)
    if (!user?.isSystemBot || shared.has(user)) return userId
    return bots.get('notification-bot')?.id ?? userId
  }
  /** Statuses name the first one. */
  const clients = new Map([['website', 1]])
  let next = 0
  const persons = new Map<number, ExportedRecipient>()
  if (release < 12) {
    for (const { id } of [...people, ...bots.values()]) {
      persons.set(id, { id: ++next, type: recipientTypes.person, typeId: id })
    }
  }
  const channelTargets = new Map(
    selection.channels.map(({ id, recipientId }) => [
      recipientId,
      { id: ++next, type: recipientTypes.channel, typeId: id },
    ]),
  )
  const huddles = new Map<number, Huddle>()
  const pairs = new Map<number, readonly number[]>()
  /** Two conversations may become one: the server's own bots that Zulip lacks are one there. */
  const known = new Map<string, Huddle>()
  for (const { id, members: key } of conversations(read).all({})) {
    if (!selection.hasConversation(id)) continue
    const ids = key.split(',').map((part) => shown(Number(part)))
    const members = [...new Set(ids)].sort((a, b) => a - b)
    if (release < 12 && members.length <= 2) {
      pairs.set(id, members)
      continue
    }
    const same = members.join(',')
    const huddle =
      known.get(same) ??
      ({ id: ++next, type: recipientTypes.group, typeId: known.size + 1, members } as const)
    known.set(same, huddle)
    huddles.set(id, huddle)
  }
  return {
    read,
    release,
    host: host.includes('.') && !/^[\d.]+$/.test(host) ? host : 'parley.invalid',
    selection,
    people,
    owner: (people.find(isOwner) ?? people[0])?.id ?? 0,
    bots,
    users,
    channels: new Map(selection.channels.map((channel) => [channel.id, channel])),
    persons,
    channelTargets,
    huddles,
    pairs,
    clients,
    uniqueNames: uniqueNamesOf(all),
    idle: new Set(
      [...listIdle(read, seconds(read.clock))].filter((id) => selection.hasPrivateDataOf(id)),
    ),
    notes: createNotes(),
    shown,
    client(name) {
      const short = clientName(name)
      const id = clients.get(short) ?? clients.size + 1
      clients.set(short, id)
      return id
    },
  }
}

/** The server's own bots that Zulip has as well, by name. */
function sharedBotsAmong(users: readonly User[]): Plan['bots'] {
  return new Map(
    sharedBots.flatMap((name) => {
      const bot = users.find(
        ({ emailKey, isSystemBot }) => isSystemBot && emailKey.startsWith(`${name}@`),
      )
      return bot ? [[name, bot] as const] : []
    }),
  )
}

/** The users whose name nobody else has, by name. */
function uniqueNamesOf(users: readonly User[]): Plan['uniqueNames'] {
  const names = new Map<string, number>()
  const twice = new Set<string>()
  for (const { fullName, id } of users) {
    if (names.has(fullName)) twice.add(fullName)
    names.set(fullName, id)
  }
  for (const name of twice) names.delete(name)
  return names
}

/** The recipient of a message; undefined: the export has no such place. */
export function targetOf(
  plan: Plan,
  { recipientId, senderId }: { readonly recipientId: number; readonly senderId: number },
): ExportedRecipient | undefined {
  const target = plan.channelTargets.get(recipientId) ?? plan.huddles.get(recipientId)
  if (target) return target
  const pair = plan.pairs.get(recipientId)
  if (!pair) return undefined
  // In release 11, a message between two belongs to the other one.
  const sender = plan.shown(senderId)
  const other = pair.find((id) => id !== sender) ?? sender
  return plan.persons.get(other)
}
