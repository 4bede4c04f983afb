import type { Mail } from '#features/mail/actions.ts'
import { requireRealm } from '#features/realm/queries.ts'
import { findUser } from '#features/users/queries.ts'
import type { Read } from '#platform/store/write.ts'
import { joinUrl } from './json.ts'
import type { Invitation } from './queries.ts'

/**
 * The mail with an invitation link.
 *
 * @param realmUrl the server's origin
 */
export function invitationMail(
  read: Read,
  invitation: Invitation,
  email: string,
  realmUrl: string,
): Mail {
  const { name } = requireRealm(read)
  const inviter = findUser(read, invitation.inviterId)
  const expiry =
    invitation.expiresAt === null
      ? 'The link works once.'
      : `The link works once, until ${utcTime(invitation.expiresAt)}.`
  return {
    address: email,
    subject: `Invitation to ${name}`,
    body: [
      `${inviter?.fullName ?? 'Someone'} invites you to join ${name}, a team chat.`,
      `To choose a name and a password, open:\n${joinUrl(realmUrl, invitation.key)}`,
      `${expiry} If you do not want to join, you can ignore this mail.`,
      '',
    ].join('\n\n'),
  }
}

/**
 * Formats a time like `2026-01-31 17:05 UTC`.
 *
 * @param time seconds since the epoch
 */
export function utcTime(time: number): string {
  return `${new Date(time * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** The mail with which a person confirms their address to join. */
export function registrationMail(read: Read, email: string, url: string): Mail {
  const { name } = requireRealm(read)
  return {
    address: email,
    subject: `Join ${name}`,
    body: [
      `To join ${name} with this address, open within a day:\n${url}`,
      'If you did not request this, you can ignore this mail.',
      '',
    ].join('\n\n'),
  }
}

/** Sent instead if the address already has an account. */
export function accountExistsMail(read: Read, email: string, realmUrl: string): Mail {
  const { name } = requireRealm(read)
  return {
    address: email,
    subject: `Your account at ${name}`,
    body: [
      `Someone, perhaps you, tried to join ${name} with this address, which already has an account.`,
      `Log in with any Zulip app. The server's address is ${realmUrl}`,
      '',
    ].join('\n\n'),
  }
}
