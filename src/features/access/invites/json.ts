import { roles } from '#features/foundation/users/queries.ts'
import type { Shaped } from '#platform/shape.ts'
import * as shape from '#platform/shape.ts'
import type { Invitation } from './queries.ts'

/** @source Zulip API, "Get all invitations" (feature level 267) */
export const inviteShape = shape.named('Invite', {
  id: shape.integer,
  invited_by_user_id: shape.integer,
  invited: shape.timestamp,
  expiry_date: shape.noted(shape.nullable(shape.timestamp), 'Null: it never expires.'),
  invited_as: shape.choice(...Object.values(roles)),
  is_multiuse: shape.boolean,
  notify_referrer_on_join: shape.boolean,
  email: shape.maybe(
    shape.noted(shape.string, 'The invited email address; absent for a reusable link.'),
  ),
  link_url: shape.maybe(shape.noted(shape.string, 'Only for a reusable link.')),
})
type InviteJson = Shaped<typeof inviteShape>

/**
 * An invitation on the wire.
 *
 * @param origin the server's origin
 */
export function inviteJson(invitation: Invitation, origin: string): InviteJson {
  const { id, inviterId, createdAt, expiresAt, role, email, key, tellInviter } = invitation
  return {
    id,
    invited_by_user_id: inviterId,
    invited: createdAt,
    expiry_date: expiresAt,
    invited_as: role as InviteJson['invited_as'],
    is_multiuse: email === null,
    notify_referrer_on_join: tellInviter,
    ...(email === null ? { link_url: joinUrl(origin, key) } : { email }),
  }
}

/**
 * The URL of an invitation link.
 *
 * @param origin the server's origin
 */
export function joinUrl(origin: string, key: string): string {
  return `${origin}/join/${key}/`
}
