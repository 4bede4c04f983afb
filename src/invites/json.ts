import {
  boolean,
  choice,
  integer,
  maybe,
  named,
  noted,
  nullable,
  type Shaped,
  string,
  timestamp,
} from '#shape.ts'
import { roles } from '#users/queries.ts'
import type { Invitation } from './queries.ts'

/** @source the API description's `Invite`; api-changes §3c (feature level 267) */
export const inviteShape = named('Invite', {
  id: integer,
  invited_by_user_id: integer,
  invited: timestamp,
  expiry_date: noted(nullable(timestamp), 'Null: it never expires.'),
  invited_as: choice(...Object.values(roles)),
  is_multiuse: boolean,
  notify_referrer_on_join: boolean,
  email: maybe(noted(string, 'Whom it was sent to; not of a reusable link.')),
  link_url: maybe(noted(string, 'Of a reusable link alone.')),
})
type InviteJson = Shaped<typeof inviteShape>

/** An invitation on the wire. @param origin the server's */
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

/** Where somebody joins by an invitation. @param origin the server's */
export function joinUrl(origin: string, key: string): string {
  return `${origin}/join/${key}/`
}
