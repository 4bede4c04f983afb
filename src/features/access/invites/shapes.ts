import * as shape from '#platform/shape.ts'

/** The event has no data: clients fetch the list of invitations again. */
export const inviteEventShapes = [shape.event('InvitesChangedEvent', 'invites_changed', {})]
