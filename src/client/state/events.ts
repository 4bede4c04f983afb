import type { EventName, EventNamed, FeatureEvent } from '#client/api/wire.ts'
import * as channels from './channels.ts'
import * as flags from './flags.ts'
import * as groups from './groups.ts'
import * as messages from './messages.ts'
import * as reactions from './reactions.ts'
import * as realm from './realm.ts'
import * as settings from './settings.ts'
import type { State } from './state.ts'
import * as typing from './typing.ts'
import * as users from './users.ts'
import * as writing from './writing.ts'

/** Changes the store; or the reason why the client ignores these events. */
type Handling<N extends EventName> =
  | ((state: State, event: EventNamed<N>) => void)
  | { readonly ignored: string }

const olderForm = { ignored: 'an older form of another event' }

/** The handlers of events, by type, and `op` if there is one. */
export const handlers: { readonly [N in EventName]: Handling<N> } = {
  alert_words: settings.changeAlertWords,
  'attachment/add': settings.changeList('attachments'),
  'attachment/remove': settings.changeList('attachments'),
  'attachment/update': settings.changeList('attachments'),
  'channel_folder/add': channels.addFolder,
  'channel_folder/reorder': channels.reorderFolders,
  'channel_folder/update': channels.updateFolder,
  custom_profile_fields: users.changeProfileFields,
  default_streams: channels.changeDefaultChannels,
  delete_message: messages.deleteMessages,
  'drafts/add': writing.addDrafts,
  'drafts/remove': writing.removeDraft,
  'drafts/update': writing.updateDraft,
  has_zoom_token: realm.changeZoomToken,
  invites_changed: settings.changeList('invites'),
  message: messages.newMessage,
  muted_topics: olderForm,
  muted_users: users.changeMutedUsers,
  'navigation_view/add': settings.addNavigationView,
  'navigation_view/remove': settings.removeNavigationView,
  'navigation_view/update': settings.updateNavigationView,
  onboarding_steps: realm.changeOnboardingSteps,
  'pinned_message/add': settings.changeList('pins'),
  'pinned_message/remove': settings.changeList('pins'),
  presence: users.changePresences,
  push_device: { ignored: 'about phones' },
  quiet_times: realm.changeQuietTimes,
  'reaction/add': reactions.addReaction,
  'reaction/remove': reactions.removeReaction,
  'realm/deactivated': { ignored: 'the next poll is refused, which ends the session' },
  'realm/update_dict': realm.updateRealm,
  'realm_bot/add': users.addBot,
  'realm_bot/delete': users.deleteBot,
  'realm_bot/update': users.updateBot,
  'realm_domains/add': realm.addDomain,
  'realm_domains/change': realm.addDomain,
  'realm_domains/remove': realm.removeDomain,
  'realm_emoji/add': realm.addEmoji,
  'realm_emoji/update': realm.replaceEmoji,
  'realm_emoji/update_one': realm.updateEmoji,
  realm_export: settings.changeList('exports'),
  realm_export_consent: settings.changeList('export-consents'),
  realm_linkifiers: realm.changeLinkifiers,
  realm_playgrounds: realm.changePlaygrounds,
  'realm_user/add': users.addUser,
  'realm_user/remove': users.removeUser,
  'realm_user/update': users.updateUser,
  'realm_user_settings_defaults/update': realm.changeUserDefault,
  'reminders/add': writing.addReminders,
  'reminders/remove': writing.removeReminder,
  restart: realm.changeVersion,
  'saved_snippets/add': writing.setSnippet,
  'saved_snippets/remove': writing.removeSnippet,
  'saved_snippets/update': writing.setSnippet,
  'scheduled_messages/add': writing.addScheduled,
  'scheduled_messages/remove': writing.removeScheduled,
  'scheduled_messages/update': writing.updateScheduled,
  server_backups: settings.changeList('server'),
  'stream/create': channels.createChannels,
  'stream/delete': channels.deleteChannels,
  'stream/update': channels.updateChannel,
  submessage: reactions.addSubmessage,
  'subscription/add': channels.addSubscriptions,
  'subscription/peer_add': channels.changePeers,
  'subscription/peer_remove': channels.changePeers,
  'subscription/remove': channels.removeSubscriptions,
  'subscription/update': channels.updateSubscription,
  'typing/start': typing.typingStarted,
  'typing/stop': typing.typingStopped,
  'typing_edit_message/start': typing.editTypingStarted,
  'typing_edit_message/stop': typing.editTypingStopped,
  update_display_settings: olderForm,
  update_global_notifications: olderForm,
  update_message: messages.updateMessage,
  'update_message_flags/add': flags.addFlag,
  'update_message_flags/remove': flags.removeFlag,
  'user_group/add': groups.addGroup,
  'user_group/add_members': groups.changeMembers,
  'user_group/add_subgroups': groups.changeSubgroups,
  'user_group/remove': groups.removeGroup,
  'user_group/remove_members': groups.changeMembers,
  'user_group/remove_subgroups': groups.changeSubgroups,
  'user_group/update': groups.updateGroup,
  'user_settings/update': settings.changeSetting,
  user_status: users.changeStatus,
  user_topic: settings.changeTopicPolicy,
}

/** Applies an event. Ignores unknown ones. */
export function applyEvent(state: State, event: FeatureEvent): void {
  const name = 'op' in event ? `${event.type}/${event.op}` : event.type
  const handling = (handlers as Readonly<Record<string, Handling<EventName>>>)[name]
  if (typeof handling === 'function') (handling as Apply)(state, event)
}

/**
 * The table pairs each name with a function for its events, which the types cannot express here.
 */
type Apply = (state: State, event: FeatureEvent) => void
