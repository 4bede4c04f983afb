import { alertWordsState } from '#alert-words/state.ts'
import { botsState } from '#bots/state.ts'
import { channelFoldersState } from '#channel-folders/state.ts'
import { channelsState, defaultChannelGroupsState, defaultChannelsState } from '#channels/state.ts'
import { domainsState } from '#domains/state.ts'
import { draftsState } from '#drafts/state.ts'
import { emojiState } from '#emoji/state.ts'
import { groupsState } from '#groups/state.ts'
import { filtersState, linkifiersState } from '#linkifiers/state.ts'
import {
  conversationsState,
  newestMessageState,
  starredState,
  unreadState,
} from '#messages/state.ts'
import { mutedUsersState } from '#muted-users/state.ts'
import { navigationViewsState } from '#navigation-views/state.ts'
import { playgroundsState } from '#playgrounds/state.ts'
import { profileFieldsState } from '#profile-fields/state.ts'
import { pushDevicesState } from '#push/state.ts'
import { realmState, versionState } from '#realm/state.ts'
import { remindersState } from '#reminders/state.ts'
import { savedSnippetsState } from '#saved-snippets/state.ts'
import { scheduledMessagesState } from '#scheduled-messages/state.ts'
import { subscriptionsState } from '#subscriptions/state.ts'
import { mutedTopicsState, userTopicsState } from '#user-topics/state.ts'
import { presenceState } from '#users/presence/state.ts'
import {
  displaySettingsState,
  notificationSettingsState,
  userDefaultsState,
  userSettingsState,
} from '#users/settings-state.ts'
import { usersState } from '#users/state.ts'
import { userStatusState } from '#users/status/state.ts'
import { integrationsState } from '#webhooks/state.ts'
import { laterState } from './later-state.ts'
import type { StatePart } from './state.ts'

/** What every slice says about itself in the reply of `POST /register`. */
export const stateParts: readonly StatePart[] = [
  ...laterState,
  alertWordsState,
  botsState,
  channelFoldersState,
  channelsState,
  conversationsState,
  defaultChannelGroupsState,
  defaultChannelsState,
  displaySettingsState,
  domainsState,
  draftsState,
  emojiState,
  filtersState,
  groupsState,
  integrationsState,
  linkifiersState,
  mutedTopicsState,
  mutedUsersState,
  navigationViewsState,
  newestMessageState,
  notificationSettingsState,
  playgroundsState,
  profileFieldsState,
  pushDevicesState,
  realmState,
  remindersState,
  savedSnippetsState,
  scheduledMessagesState,
  presenceState,
  starredState,
  subscriptionsState,
  unreadState,
  userDefaultsState,
  userSettingsState,
  usersState,
  userStatusState,
  userTopicsState,
  versionState,
]
