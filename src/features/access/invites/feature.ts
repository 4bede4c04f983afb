import { feature } from '#platform/feature.ts'
import { invitationMailQuota, invitationQuota } from './quotas.ts'
import * as routes from './routes.ts'
import { inviteEventShapes } from './shapes.ts'

export const invites = feature({
  routes: { Invitations: [routes] },
  events: inviteEventShapes,
  quotas: [invitationMailQuota, invitationQuota],
})
