import { feature } from '#platform/feature.ts'
import { remindPeople } from './jobs.ts'
import { reminderQuota } from './quotas.ts'
import * as routes from './routes.ts'
import { reminderEventShapes } from './shapes.ts'
import { remindersState } from './state.ts'

export const reminders = feature({
  routes: { 'Drafts and snippets': [routes] },
  state: [remindersState],
  events: reminderEventShapes,
  jobs: [remindPeople],
  quotas: [reminderQuota],
})
