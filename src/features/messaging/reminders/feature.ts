import { messagesErased } from '#features/foundation/core/occasions.ts'
import { feature } from '#platform/feature.ts'
import { on } from '#platform/store/occasions.ts'
import { dropRemindersOf } from './actions.ts'
import { remindPeople } from './jobs.ts'
import { reminderQuota } from './quotas.ts'
import * as routes from './routes.ts'
import { reminderEventShapes } from './shapes.ts'
import { remindersState } from './state.ts'

export const reminders = feature({
  on: [on(messagesErased, (tx, { ids }) => dropRemindersOf(tx, ids))],
  routes: { 'Drafts and snippets': [routes] },
  state: [remindersState],
  events: reminderEventShapes,
  jobs: [remindPeople],
  quotas: [reminderQuota],
})
