import { feature } from '#platform/feature.ts'
import { draftQuota } from './quotas.ts'
import * as routes from './routes.ts'
import { draftEventShapes } from './shapes.ts'
import { draftsState } from './state.ts'

export const drafts = feature({
  routes: { 'Drafts and snippets': [routes] },
  state: [draftsState],
  events: draftEventShapes,
  quotas: [draftQuota],
})
