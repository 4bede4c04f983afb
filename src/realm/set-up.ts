import { isIP } from 'node:net'
import { createChannel } from '#channels/actions.ts'
import type { Context } from '#context.ts'
import { badRequest } from '#errors.ts'
import { sendMessage } from '#messages/actions.ts'
import { composeMessage } from '#messages/compose.ts'
import type { Tx } from '#store/write.ts'
import { subscribe } from '#subscriptions/actions.ts'
import { createUser } from '#users/actions.ts'
import { hashPassword } from '#users/passwords.ts'
import { findUser, roles, type User } from '#users/queries.ts'
import { accountProblems, type NewAccount } from '#users/rules.ts'
import { createRealm } from './actions.ts'
import { findRealm } from './queries.ts'
import { setRealmSetting } from './settings.ts'

/** What the first owner decides. */
export interface NewOrganization extends NewAccount {
  readonly organization: string
}

/** The longest name of an organization, in Unicode code points. */
const longestName = 40

/** Id of Welcome Bot, which `createRealm` makes. */
const welcomeBot = 5

/** What is wrong with each part; empty when nothing is. */
export function organizationProblems(
  wanted: NewOrganization,
): Partial<Record<keyof NewOrganization, string>> {
  const problem = nameProblem(wanted.organization.trim())
  return { ...(problem && { organization: problem }), ...accountProblems(wanted) }
}

function nameProblem(name: string): string | undefined {
  if (name === '') return "The organization's name is missing."
  if ([...name].length > longestName) {
    return `The organization's name is too long (limit: ${longestName} characters).`
  }
  return undefined
}

/**
 * Creates the organization, its first owner and two channels to begin with, and welcomes the owner.
 *
 * @throws BAD_REQUEST there is an organization already, or something is wrong with what was given
 */
export async function setUpOrganization(server: Context, wanted: NewOrganization): Promise<User> {
  const [problem] = Object.values(organizationProblems(wanted))
  if (problem !== undefined) throw badRequest(problem)
  requireNone(server)
  const passwordHash = await hashPassword(wanted.password)
  const owner = await server.store.write((tx) => {
    // Asked again: somebody else may have been faster while the password was being hashed.
    if (findRealm(tx)) requireNone(server)
    createRealm(tx, {
      name: wanted.organization.trim(),
      placeholderDomain: placeholderDomain(server.realmUrl),
    })
    return createOwner(tx, wanted, passwordHash)
  })
  await welcome(server, owner)
  return owner
}

function requireNone({ store }: Context): void {
  if (findRealm(store)) throw badRequest('This server has an organization already.')
}

function createOwner(tx: Tx, wanted: NewAccount, passwordHash: string): User {
  const owner = createUser(tx, {
    email: wanted.email,
    fullName: wanted.fullName.trim(),
    role: roles.owner,
    passwordHash,
  })
  const description = (source: string) => ({ source, html: `<p>${source}</p>` })
  const general = createChannel(tx, owner, {
    name: 'general',
    description: description('What everybody should know'),
    isDefault: true,
  })
  const random = createChannel(tx, owner, {
    name: 'random',
    description: description('Whatever else comes to mind'),
    isDefault: true,
  })
  subscribe(tx, [general, random], [owner])
  setRealmSetting(tx, 'new_stream_announcements_stream_id', general.id)
  setRealmSetting(tx, 'zulip_update_announcements_stream_id', general.id)
  return owner
}

/** A first message, so that the first client has something to show. */
async function welcome(server: Context, owner: User): Promise<void> {
  const { store } = server
  const sender = findUser(store, welcomeBot)
  if (!sender) throw new Error('There is no Welcome Bot.')
  const content = [
    `Welcome, @_**${owner.fullName}|${owner.id}**! This is your organization's first topic.`,
    'Conversations here have a channel and a topic, so that each can be followed by itself.' +
      ' Write something below, or start a topic of your own.',
  ].join('\n\n')
  const asked = {
    kind: 'channel',
    to: 'general',
    topic: 'welcome',
    content,
    client: 'Internal',
    readBySender: true,
  } as const
  const draft = composeMessage(store, sender, asked, server.realmUrl)
  await store.write((tx) => void sendMessage(tx, sender, draft))
}

/** The server's own host where it has a name; addresses that consist of numbers say nothing. */
function placeholderDomain(realmUrl: string): string {
  const host = new URL(realmUrl).hostname
  return isIP(host.replace(/^\[|\]$/g, '')) ? 'localhost' : host
}
