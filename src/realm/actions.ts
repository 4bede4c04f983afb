import { randomBytes, randomUUID } from 'node:crypto'
import { seconds } from '#clock.ts'
import { type SystemGroup, systemGroups } from '#permissions/table.ts'
import { userGroups } from '#store/schema.ts'
import type { Tx } from '#store/write.ts'
import { createUser } from '#users/actions.ts'
import { roles } from '#users/queries.ts'
import { insertRealm } from './queries.ts'
import { setRealmSetting } from './settings.ts'

export interface NewRealm {
  readonly name: string
  readonly description?: string
  /** The host of the placeholder addresses that stand for hidden ones: `user7@<domain>`. */
  readonly placeholderDomain: string
  /** The host of the system bots' addresses; the placeholder domain unless given. */
  readonly systemBotDomain?: string
  /** Chosen at random unless given. */
  readonly uuid?: string
  /** The key of a system bot; chosen at random unless given. */
  apiKey?(email: string): string
}

/** What the interface shows for each system group. */
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

/** The server's own accounts, in the order of their ids. */
const systemBots = [
  ['emailgateway', 'Email Gateway'],
  ['nagios-receive-bot', 'Nagios Receive Bot'],
  ['nagios-send-bot', 'Nagios Send Bot'],
  ['notification-bot', 'Notification Bot'],
  ['welcome-bot', 'Welcome Bot'],
] as const

/**
 * Creates the organization in an empty database: its row, the eight system groups and the system
 * bots, with ids from 1 on.
 */
export function createRealm(tx: Tx, options: NewRealm): void {
  insertRealm(tx, {
    id: 1,
    uuid: options.uuid ?? randomUUID(),
    name: options.name,
    description: options.description ?? '',
    dateCreated: seconds(tx.clock),
    secret: randomBytes(32).toString('hex'),
  })
  setRealmSetting(tx, 'placeholder_domain', options.placeholderDomain)
  createSystemGroups(tx)
  for (const [shortName, fullName] of systemBots) {
    const email = `${shortName}@${options.systemBotDomain ?? options.placeholderDomain}`
    createUser(tx, {
      email,
      fullName,
      role: roles.member,
      botType: 1,
      isSystemBot: true,
      apiKey: options.apiKey?.(email),
    })
  }
}

/** Nobody may change a system group, nor mention one aloud. */
function createSystemGroups(tx: Tx): void {
  const nobody = 1
  for (const name of systemGroups) {
    tx.db
      .insert(userGroups)
      .values({
        name,
        nameKey: name,
        description: groupDescriptions[name],
        isSystem: true,
        canAddMembersGroup: nobody,
        canJoinGroup: nobody,
        canLeaveGroup: nobody,
        canManageGroup: nobody,
        canMentionGroup: nobody,
        canRemoveMembersGroup: nobody,
      })
      .run()
  }
}
