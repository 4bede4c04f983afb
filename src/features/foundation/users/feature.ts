import { feature } from '#platform/feature.ts'
import {
  displaySettingsState,
  notificationSettingsState,
  userDefaultsState,
  userSettingsState,
} from './settings.state.ts'
import { userEventShapes } from './shapes.ts'
import { usersState } from './state.ts'

export const users = feature({
  state: [
    usersState,
    displaySettingsState,
    notificationSettingsState,
    userDefaultsState,
    userSettingsState,
  ],
  events: userEventShapes,
})
