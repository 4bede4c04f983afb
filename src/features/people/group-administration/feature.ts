import { feature } from '#platform/feature.ts'
import { promoteMembers } from './full-members.jobs.ts'
import * as routes from './routes.ts'
import { groupsState } from './state.ts'

export const groupAdministration = feature({
  routes: { 'User groups': [routes] },
  state: [groupsState],
  jobs: [promoteMembers],
})
