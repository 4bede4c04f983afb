import { randomBytes, randomUUID } from 'node:crypto'
import { createUser } from '#features/access/accounts/actions.ts'
import { insertGroup } from '#features/foundation/groups/queries.ts'
import { type SystemGroup, systemGroups } from '#features/foundation/permissions/table.ts'
import { insertRealm, newDataId } from '#features/foundation/realm/queries.ts'
import { setRealmSetting } from '#features/foundation/realm/settings.queries.ts'
import { roles } from '#features/foundation/users/queries.ts'
import { seconds } from '#platform/clock.ts'
import type { Tx } from '#platform/store/store.ts'

export interface NewRealm {
  readonly name: string
  readonly description?: string
  /** The host of placeholder addresses: `user7@<domain>`. */
  readonly placeholderDomain: string
  /** The host of the system bots' addresses; the placeholder domain by default. */
  readonly systemBotDomain?: string
  /** Random by default. */
  readonly uuid?: string
  /** IDs of system groups and of system bots, by the name before the `@`; from 1 by default. */
  readonly ids?: {
    readonly groups: Readonly<Record<string, number>>
    readonly bots: Readonly<Record<string, number>>
  }
  /** A system bot's API key; random by default. */
  apiKey?(email: string): string
}

/** The descriptions of the system groups, which clients show. */
const groupDescriptions: Readonly<Record<SystemGroup, string>> = {
  'role:nobody': 'Nobody',
  'role:owners': 'Owners',
  'role:administrators': 'Administrators',
  'role:moderators': 'Moderators',
  'role:fullmembers': 'Full members',
  'role:members': 'Members',
  'role:everyone': 'Everyone',
  'role:internet': 'Everyone on the internet',
}

/** The system bots, in the order of their IDs. */
const systemBots = [
  ['emailgateway', 'Email Gateway'],
  ['nagios-receive-bot', 'Nagios Receive Bot'],
  ['nagios-send-bot', 'Nagios Send Bot'],
  ['notification-bot', 'Notification Bot'],
  ['welcome-bot', 'Welcome Bot'],
] as const

/**
 * Creates the organization in an empty database: its row, the eight system groups and the system
 * bots.
 */
export function createRealm(tx: Tx, options: NewRealm): void {
  insertRealm(tx, {
    id: 1,
    uuid: options.uuid ?? randomUUID(),
    name: options.name,
    description: options.description ?? '',
    dateCreated: seconds(tx.clock),
    secret: randomBytes(32).toString('hex'),
    dataId: newDataId(),
  })
  setRealmSetting(tx, 'placeholder_domain', options.placeholderDomain)
  createSystemGroups(tx, options.ids?.groups ?? {})
  for (const [shortName, fullName] of systemBots) {
    const email = `${shortName}@${options.systemBotDomain ?? options.placeholderDomain}`
    createUser(tx, {
      id: options.ids?.bots[shortName],
      email,
      fullName,
      role: roles.member,
      botType: 1,
      isSystemBot: true,
      apiKey: options.apiKey?.(email),
    })
  }
}

/** Nobody may change a system group or mention it with a notification. */
function createSystemGroups(tx: Tx, ids: Readonly<Record<string, number>>): void {
  const nobody = ids['role:nobody'] ?? 1
  for (const name of systemGroups) {
    insertGroup(tx, {
      id: ids[name],
      name,
      description: groupDescriptions[name],
      isSystem: true,
      canAddMembersGroup: nobody,
      canJoinGroup: nobody,
      canLeaveGroup: nobody,
      canManageGroup: nobody,
      canMentionGroup: nobody,
      canRemoveMembersGroup: nobody,
    })
  }
}
