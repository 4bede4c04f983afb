import { composed, type Mail } from '#features/notifications/mail/frame.ts'
import { requireRealm } from '#features/organization/realm/queries.ts'
import { findUser } from '#features/people/users/queries.ts'
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
  return composed({
    organization: name,
    address: email,
    subject: `Invitation to ${name}`,
    parts: [
      `${inviter?.fullName ?? 'Someone'} invites you to join ${name}, a team chat.`,
      {
        lead: 'To choose a name and a password, open:',
        url: joinUrl(realmUrl, invitation.key),
        button: `Join ${name}`,
      },
      `${expiry} If you do not want to join, you can ignore this mail.`,
    ],
  })
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
  return composed({
    organization: name,
    address: email,
    subject: `Join ${name}`,
    parts: [
      {
        lead: `To join ${name} with this address, open within a day:`,
        url,
        button: `Join ${name}`,
      },
      'If you did not request this, you can ignore this mail.',
    ],
  })
}

/** Sent instead if the address already has an account. */
export function accountExistsMail(read: Read, email: string, realmUrl: string): Mail {
  const { name } = requireRealm(read)
  return composed({
    organization: name,
    address: email,
    subject: `Your account at ${name}`,
    parts: [
      `Someone, perhaps you, tried to join ${name} with this address, which already has an account.`,
      {
        lead: "Log in with your browser, or with any Zulip app. The server's address is:",
        url: realmUrl,
        button: 'Log in',
      },
    ],
  })
}
