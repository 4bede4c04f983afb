import { randomBytes } from 'node:crypto'
import { videoCallProviders } from '#features/foundation/realm/choices.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { spend } from '#platform/quotas/room.ts'
import { sentSentence } from '#translations/translate.ts'
import { enterUrl, joinLink, openMeeting, readLink } from './bigbluebutton.ts'
import { makeGroupsRoom } from './constructor-groups.ts'
import { makeRoom } from './nextcloud-talk.ts'
import { callProvider, requireProvider } from './provider.actions.ts'
import { callRate } from './quotas.ts'

/**
 * The link to a new BigBlueButton meeting. The meeting itself is opened by the people who follow
 * the link.
 *
 * @throws BAD_REQUEST it is not configured, or the organization has chosen another provider; a blank name
 */
export function createMeeting(
  { store, user }: Caller,
  { name, isVoiceOnly }: { readonly name: string; readonly isVoiceOnly: boolean },
): string {
  const { big_blue_button } = videoCallProviders
  const address = requireProvider({ store }, store.config.bigBlueButtonUrl, big_blue_button)
  requireName('meeting_name', name)
  const id = `parley-${randomBytes(16).toString('hex')}`
  return joinLink(address, { id, name, isVoiceOnly, moderatorId: user.id })
}

/**
 * Opens the meeting of a link. @returns the address where the caller's browser enters it
 *
 * @throws BAD_REQUEST no link of this server; the provider fails; as `createMeeting`
 * @throws RATE_LIMIT_HIT
 */
export async function joinMeeting(
  caller: Caller,
  query: Readonly<Record<string, string>>,
): Promise<string> {
  const { server, store, user } = caller
  const { big_blue_button } = videoCallProviders
  const address = requireProvider(caller, store.config.bigBlueButtonUrl, big_blue_button)
  const meeting = readLink(address, query)
  if (!meeting) throw badRequest(sentSentence('Invalid link to a call'))
  await store.write((tx) => spend(tx, callRate, user))
  await callProvider(caller, big_blue_button.name, () => openMeeting(server, address, meeting))
  return enterUrl(address, meeting, user)
}

/** @throws BAD_REQUEST a blank name, which providers refuse, some only when people follow the link */
function requireName(parameter: string, name: string): void {
  if (name.trim() === '') throw badRequest(sentSentence('A call must have a name.'), { parameter })
}

/**
 * Makes a room in Nextcloud Talk that anyone with its link can enter.
 *
 * @throws BAD_REQUEST it is not configured, or not what the organization chose; a blank name; it fails
 * @throws RATE_LIMIT_HIT
 */
export async function createRoom(caller: Caller, name: string): Promise<string> {
  const { server, store, user } = caller
  const { nextcloud_talk } = videoCallProviders
  const address = requireProvider(caller, store.config.nextcloudUrl, nextcloud_talk)
  requireName('room_name', name)
  await store.write((tx) => spend(tx, callRate, user))
  return await callProvider(caller, nextcloud_talk.name, () => makeRoom(server, address, name))
}

/**
 * Makes a room in Constructor Groups that anyone with its link can enter. The caller leads it, if
 * they have an account there with their confirmed address.
 *
 * @throws BAD_REQUEST it is not configured, or not what the organization chose; it fails
 * @throws RATE_LIMIT_HIT
 */
export async function createGroupsRoom(caller: Caller): Promise<string> {
  const { server, store, user } = caller
  const { constructor_groups } = videoCallProviders
  const address = requireProvider(caller, store.config.constructorGroupsUrl, constructor_groups)
  await store.write((tx) => spend(tx, callRate, user))
  // Names there must differ.
  const name = `${user.fullName} ${randomBytes(4).toString('hex')}`
  // Anyone can claim an address that nobody has confirmed.
  const creator = user.isEmailVerified ? user.email : null
  return await callProvider(caller, constructor_groups.name, () =>
    makeGroupsRoom(server, address, { name, creator }),
  )
}
