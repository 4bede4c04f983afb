import { event } from '#shape.ts'

/** Tells nothing but that the list of invitations has to be fetched again. */
export const inviteEventShapes = [event('InvitesChangedEvent', 'invites_changed', {})]
