import { groupsState } from '#groups/state.ts'
import {
  conversationsState,
  newestMessageState,
  starredState,
  unreadState,
} from '#messages/state.ts'
import { mutedTopicsState, userTopicsState } from '#user-topics/state.ts'
import { usersState } from '#users/state.ts'
import type { StatePart } from './state.ts'

/** What every slice says about itself in the reply of `POST /register`. */
export const stateParts: readonly StatePart[] = [
  conversationsState,
  groupsState,
  mutedTopicsState,
  newestMessageState,
  starredState,
  unreadState,
  userTopicsState,
  usersState,
]
