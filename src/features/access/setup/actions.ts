import { isIP } from 'node:net'
import { createUser } from '#features/access/accounts/actions.ts'
import { subscribe } from '#features/channels/subscriptions/actions.ts'
import { createChannel } from '#features/foundation/channels/actions.ts'
import { findRealm } from '#features/foundation/realm/queries.ts'
import { setRealmSetting } from '#features/foundation/realm/settings.queries.ts'
import {
  hashCost,
  hashPassword,
  type PasswordLengths,
  passwordLengths,
} from '#features/foundation/users/passwords.ts'
import { findUser, roles, type User } from '#features/foundation/users/queries.ts'
import { accountProblems, type NewAccount } from '#features/foundation/users/rules.ts'
import { setUserDefault } from '#features/foundation/users/settings.queries.ts'
import { sendMessage } from '#features/messaging/messages/actions.ts'
import { composeMessage } from '#features/messaging/messages/compose.rules.ts'
import { startOnboarding } from '#features/people/onboarding/actions.ts'
import { fitsIn } from '#platform/code-points.ts'
import type { SystemContext } from '#platform/context.ts'
import { badRequest } from '#platform/errors.ts'
import type { Tx } from '#platform/store/store.ts'
import { tidyName } from '#shared/names.ts'
import { type Sentence, sentence, sentSentence } from '#translations/translate.ts'
import { createRealm } from './realm.actions.ts'

/** The first owner's input. */
export interface NewOrganization extends NewAccount {
  readonly organization: string
}

/** The longest name of an organization, in Unicode code points. */
const longestName = 40

/** The ID that `createRealm` gives Welcome Bot. */
const welcomeBot = 5

/** The problem with each field; empty if all are valid. @param lengths from `passwordLengths` */
export function organizationProblems(
  wanted: NewOrganization,
  lengths: PasswordLengths,
): Partial<Record<keyof NewOrganization, Sentence>> {
  const problem = organizationNameProblem(wanted.organization.trim())
  return { ...(problem && { organization: problem }), ...accountProblems(wanted, lengths) }
}

/** @param name without blanks around it */
export function organizationNameProblem(name: string): Sentence | undefined {
  if (name === '') return sentence("The organization's name is missing.")
  if (!fitsIn(name, longestName)) {
    return sentence("The organization's name is too long (limit: {count} characters).", {
      count: longestName,
    })
  }
  return undefined
}

/**
 * Creates the organization with its first owner and two channels, and welcomes the owner.
 *
 * @throws BAD_REQUEST the server already has an organization, or a field is invalid
 */
export async function setUpOrganization(
  server: SystemContext,
  wanted: NewOrganization,
): Promise<User> {
  const [problem] = Object.values(organizationProblems(wanted, passwordLengths(server.config)))
  if (problem !== undefined) throw badRequest(problem)
  requireNoOrganization(server)
  const passwordHash = await hashPassword(wanted.password, hashCost(server.config))
  const owner = await server.store.write((tx) => {
    // Checked again: another request may have finished during the hashing.
    if (findRealm(tx)) requireNoOrganization(server)
    createRealm(tx, {
      name: wanted.organization.trim(),
      placeholderDomain: placeholderDomain(server.realmUrl),
    })
    // What those expect who come from another chat. The API's own default is the other way round.
    setUserDefault(tx, 'enter_sends', true)
    return createOwner(tx, wanted, passwordHash)
  })
  await welcome(server, owner)
  return owner
}

function requireNoOrganization({ store }: SystemContext): void {
  if (findRealm(store)) throw badRequest(sentSentence('This server already has an organization.'))
}

function createOwner(tx: Tx, wanted: NewAccount, passwordHash: string): User {
  const owner = createUser(tx, {
    email: wanted.email,
    fullName: tidyName(wanted.fullName),
    role: roles.owner,
    passwordHash,
  })
  startOnboarding(tx, owner)
  const description = (source: string) => ({ source, html: `<p>${source}</p>` })
  const general = createChannel(tx, owner, {
    name: 'general',
    description: description('News for everyone'),
    isDefault: true,
  })
  const random = createChannel(tx, owner, {
    name: 'random',
    description: description('Everything else'),
    isDefault: true,
  })
  subscribe(tx, [general, random], [owner])
  setRealmSetting(tx, 'new_stream_announcements_stream_id', general.id)
  // Whoever has invited others waits for them.
  setRealmSetting(tx, 'signup_announcements_stream_id', general.id)
  setRealmSetting(tx, 'zulip_update_announcements_stream_id', general.id)
  return owner
}

/** Sends a first message, so that the first client has something to show. */
async function welcome(server: SystemContext, owner: User): Promise<void> {
  const { store } = server
  const sender = findUser(store, welcomeBot)
  if (!sender) throw new Error('There is no Welcome Bot.')
  const content = [
    `Welcome, @_**${owner.fullName}|${owner.id}**! This is your organization's first topic.`,
    'Conversations here have a channel and a topic, so that you can follow each conversation by itself.' +
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

/** The server's host name; `localhost` if the host is an IP address. */
function placeholderDomain(realmUrl: string): string {
  const host = new URL(realmUrl).hostname
  return isIP(host.replace(/^\[|\]$/g, '')) ? 'localhost' : host
}
