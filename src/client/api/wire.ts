import type { botsState } from '#features/access/bot-administration/state.ts'
import type { inviteShape } from '#features/access/invites/json.ts'
import type { inviteEventShapes } from '#features/access/invites/shapes.ts'
import type {
  defaultChannelGroupsState,
  defaultChannelsState,
} from '#features/channels/channel-administration/state.ts'
import type {
  channelFolderEventShapes,
  channelFolderShape,
} from '#features/channels/channel-folders/shapes.ts'
import type { channelFoldersState } from '#features/channels/channel-folders/state.ts'
import type {
  subscriptionEventShapes,
  subscriptionShape,
} from '#features/channels/subscriptions/shapes.ts'
import type { subscriptionsState } from '#features/channels/subscriptions/state.ts'
import type { attachmentEventShapes, attachmentShape } from '#features/files/attachments/shapes.ts'
import type { botEventShapes, botShape } from '#features/foundation/bots/shapes.ts'
import type { channelEventShapes, channelShape } from '#features/foundation/channels/shapes.ts'
import type { domainEventShapes } from '#features/foundation/domains/shapes.ts'
import type { domainsState } from '#features/foundation/domains/state.ts'
import type { groupEventShapes, groupShape } from '#features/foundation/groups/shapes.ts'
import type { externalMethodShape } from '#features/foundation/identity-providers/shapes.ts'
import type {
  ChannelPermission,
  GroupPermission,
  RealmPermission,
} from '#features/foundation/permissions/table.ts'
import type { presenceEventShapes } from '#features/foundation/presence/shapes.ts'
import type { presenceState } from '#features/foundation/presence/state.ts'
import type {
  quietTimesEventShapes,
  quietTimesShape,
} from '#features/foundation/quiet-times/shapes.ts'
import type { quietTimesState } from '#features/foundation/quiet-times/state.ts'
import type { RealmSettingName, RealmSettingValue } from '#features/foundation/realm/settings.ts'
import type { sessionShape } from '#features/foundation/sessions/shapes.ts'
import type {
  userDefaultsState,
  userSettingsState,
} from '#features/foundation/users/settings.state.ts'
import type { UserSettingName, UserSettingValue } from '#features/foundation/users/settings.ts'
import type { userEventShapes, userShape } from '#features/foundation/users/shapes.ts'
import type { usersState } from '#features/foundation/users/state.ts'
import type { connectionShape } from '#features/integrations/assistants/authorization/shapes.ts'
import type { callEventShapes } from '#features/integrations/calls/shapes.ts'
import type { callsState } from '#features/integrations/calls/state.ts'
import type { listedIntegration } from '#features/integrations/incoming-webhooks/shapes.ts'
import type { integrationsState } from '#features/integrations/incoming-webhooks/state.ts'
import type { WebhookDeliveryJson } from '#features/integrations/outgoing-webhooks/routes.ts'
import type { alertWordEventShapes } from '#features/messaging/alert-words/shapes.ts'
import type { alertWordsState } from '#features/messaging/alert-words/state.ts'
import type { draftEventShapes, draftShape } from '#features/messaging/drafts/shapes.ts'
import type { draftsState } from '#features/messaging/drafts/state.ts'
import type { emojiEventShapes } from '#features/messaging/emoji/shapes.ts'
import type { emojiState } from '#features/messaging/emoji/state.ts'
import type { linkifierEventShapes } from '#features/messaging/linkifiers/shapes.ts'
import type { linkifiersState } from '#features/messaging/linkifiers/state.ts'
import type {
  fetchedMessage,
  messageEventShapes,
  messageShape,
  pinShape,
  snapshot,
} from '#features/messaging/messages/shapes.ts'
import type {
  conversationsState,
  newestMessageState,
  starredState,
  unreadState,
} from '#features/messaging/messages/state.ts'
import type {
  navigationViewEventShapes,
  navigationViewShape,
} from '#features/messaging/navigation-views/shapes.ts'
import type { navigationViewsState } from '#features/messaging/navigation-views/state.ts'
import type { reminderEventShapes, reminderShape } from '#features/messaging/reminders/shapes.ts'
import type { remindersState } from '#features/messaging/reminders/state.ts'
import type {
  savedSnippetEventShapes,
  savedSnippetShape,
} from '#features/messaging/saved-snippets/shapes.ts'
import type { savedSnippetsState } from '#features/messaging/saved-snippets/state.ts'
import type {
  scheduledMessageEventShapes,
  scheduledMessageShape,
} from '#features/messaging/scheduled-messages/shapes.ts'
import type { scheduledMessagesState } from '#features/messaging/scheduled-messages/state.ts'
import type { userTopicEventShapes } from '#features/messaging/user-topics/shapes.ts'
import type { userTopicsState } from '#features/messaging/user-topics/state.ts'
import type { channelEmailAddressShape } from '#features/notifications/mail-gateway/shapes.ts'
import type { pushEventShapes } from '#features/notifications/phone-push/shapes.ts'
import type { subscriptionShape as pushDeviceShape } from '#features/notifications/web-push/shapes.ts'
import type { historyShape } from '#features/organization/exports/history/history.shapes.ts'
import type {
  exportConsentEventShapes,
  exportShape,
} from '#features/organization/exports/shapes.ts'
import type {
  operatingEventShapes,
  serverStatusMembers,
} from '#features/organization/organization-settings/operating.shapes.ts'
import type {
  declarationMembers,
  realmEventShapes,
} from '#features/organization/organization-settings/shapes.ts'
import type {
  realmState,
  versionState,
} from '#features/organization/organization-settings/state.ts'
import type { playgroundEventShapes } from '#features/organization/playgrounds/shapes.ts'
import type { playgroundsState } from '#features/organization/playgrounds/state.ts'
import type { groupsState } from '#features/people/group-administration/state.ts'
import type { mutedUserEventShapes } from '#features/people/muted-users/shapes.ts'
import type { mutedUsersState } from '#features/people/muted-users/state.ts'
import type { onboardingEventShapes } from '#features/people/onboarding/shapes.ts'
import type { onboardingState } from '#features/people/onboarding/state.ts'
import type { profileFieldEventShapes } from '#features/people/profile-fields/shapes.ts'
import type { profileFieldsState } from '#features/people/profile-fields/state.ts'
import type { userStatusEventShapes } from '#features/people/user-status/shapes.ts'
import type { userStatusState } from '#features/people/user-status/state.ts'
import type { Capability } from '#platform/events/types.ts'
import type { Members, MembersOf, Shape, Shaped } from '#platform/shape.ts'

export type {
  Capability,
  ChannelPermission,
  GroupPermission,
  RealmPermission,
  RealmSettingName,
  UserSettingName,
}

type StateOf<P extends { readonly members: Members }> = MembersOf<P['members']>
type AnyEventOf<S extends readonly Shape[]> = Shaped<S[number]>

/** The reply of `POST /register`, as far as the client asks for it. */
export type RegisterReply = {
  readonly queue_id: string
  readonly last_event_id: number
  readonly idle_queue_timeout_secs?: number
  readonly event_queue_longpoll_timeout_seconds: number
  readonly user_settings: UserSettings
} & { readonly [N in RealmSettingName as `realm_${N}`]: RealmSettingValue<N> } & {
  readonly [N in RealmPermission as `realm_${N}`]: WireGroupSetting
} & StateOf<typeof versionState> &
  StateOf<typeof realmState> &
  StateOf<typeof usersState> &
  StateOf<typeof userSettingsState> &
  StateOf<typeof userDefaultsState> &
  StateOf<typeof subscriptionsState> &
  StateOf<typeof defaultChannelsState> &
  StateOf<typeof defaultChannelGroupsState> &
  StateOf<typeof channelFoldersState> &
  StateOf<typeof groupsState> &
  StateOf<typeof botsState> &
  StateOf<typeof integrationsState> &
  StateOf<typeof conversationsState> &
  StateOf<typeof newestMessageState> &
  StateOf<typeof unreadState> &
  StateOf<typeof starredState> &
  StateOf<typeof userTopicsState> &
  StateOf<typeof mutedUsersState> &
  StateOf<typeof userStatusState> &
  StateOf<typeof presenceState> &
  StateOf<typeof emojiState> &
  StateOf<typeof linkifiersState> &
  StateOf<typeof playgroundsState> &
  StateOf<typeof profileFieldsState> &
  StateOf<typeof domainsState> &
  StateOf<typeof alertWordsState> &
  StateOf<typeof draftsState> &
  StateOf<typeof savedSnippetsState> &
  StateOf<typeof scheduledMessagesState> &
  StateOf<typeof remindersState> &
  StateOf<typeof navigationViewsState> &
  StateOf<typeof onboardingState> &
  StateOf<typeof callsState> &
  StateOf<typeof quietTimesState>

/** Every event that a feature of the server sends, told apart by `type` and mostly `op`. */
export type FeatureEvent =
  | AnyEventOf<typeof alertWordEventShapes>
  | AnyEventOf<typeof attachmentEventShapes>
  | AnyEventOf<typeof botEventShapes>
  | AnyEventOf<typeof channelEventShapes>
  | AnyEventOf<typeof channelFolderEventShapes>
  | AnyEventOf<typeof domainEventShapes>
  | AnyEventOf<typeof draftEventShapes>
  | AnyEventOf<typeof emojiEventShapes>
  | AnyEventOf<typeof exportConsentEventShapes>
  | AnyEventOf<typeof groupEventShapes>
  | AnyEventOf<typeof inviteEventShapes>
  | AnyEventOf<typeof linkifierEventShapes>
  | AnyEventOf<typeof messageEventShapes>
  | AnyEventOf<typeof mutedUserEventShapes>
  | AnyEventOf<typeof navigationViewEventShapes>
  | AnyEventOf<typeof onboardingEventShapes>
  | AnyEventOf<typeof callEventShapes>
  | AnyEventOf<typeof operatingEventShapes>
  | AnyEventOf<typeof playgroundEventShapes>
  | AnyEventOf<typeof presenceEventShapes>
  | AnyEventOf<typeof profileFieldEventShapes>
  | AnyEventOf<typeof pushEventShapes>
  | AnyEventOf<typeof quietTimesEventShapes>
  | AnyEventOf<typeof realmEventShapes>
  | AnyEventOf<typeof reminderEventShapes>
  | AnyEventOf<typeof savedSnippetEventShapes>
  | AnyEventOf<typeof scheduledMessageEventShapes>
  | AnyEventOf<typeof subscriptionEventShapes>
  | AnyEventOf<typeof userEventShapes>
  | AnyEventOf<typeof userStatusEventShapes>
  | AnyEventOf<typeof userTopicEventShapes>

type NameOf<E> = E extends {
  readonly type: infer T extends string
  readonly op: infer O extends string
}
  ? `${T}/${O}`
  : E extends { readonly type: infer T extends string }
    ? T
    : never

/** The type of an event, with its `op` if it has one: `reaction/add`. */
export type EventName = NameOf<FeatureEvent>

export type EventType = FeatureEvent['type']
/** The forms of the events of a name. */
export type EventNamed<N extends EventName, E = FeatureEvent> = E extends FeatureEvent
  ? N extends NameOf<E>
    ? E
    : never
  : never

export type QuietTimes = Shaped<typeof quietTimesShape>
export type PinnedMessage = Shaped<typeof pinShape>
export type WireMessage = Shaped<typeof fetchedMessage>
export type NewWireMessage = Shaped<typeof messageShape>
export type EditSnapshot = Shaped<typeof snapshot>
export type WireUser = Shaped<typeof userShape>
export type WireChannel = Shaped<typeof channelShape>
export type WireSubscription = Shaped<typeof subscriptionShape>
export type WireGroup = Shaped<typeof groupShape>
export type ChannelFolder = Shaped<typeof channelFolderShape>
export type Draft = Shaped<typeof draftShape>
export type SavedSnippet = Shaped<typeof savedSnippetShape>
export type ScheduledMessage = Shaped<typeof scheduledMessageShape>
export type Reminder = Shaped<typeof reminderShape>
export type Attachment = Shaped<typeof attachmentShape>
/** An assistant that the user has connected. */
export type ConnectedAssistant = Shaped<typeof connectionShape>
export type Session = Shaped<typeof sessionShape>
export type ChannelEmailAddress = Shaped<typeof channelEmailAddressShape>
/** A way to log in for which clients open a browser. */
export type ExternalMethod = Shaped<typeof externalMethodShape>
export type PushDevice = Shaped<typeof pushDeviceShape>
export type Bot = Shaped<typeof botShape>
/** A service whose webhooks the server accepts. */
export type Integration = Shaped<typeof listedIntegration>
export type Invite = Shaped<typeof inviteShape>
export type NavigationView = Shaped<typeof navigationViewShape>
export type ServerStatus = MembersOf<typeof serverStatusMembers>
export type RealmExport = Shaped<typeof exportShape>
export type HistoryExport = Shaped<typeof historyShape>
/** The reply of `GET /export/history`. */
export interface HistoryExports {
  readonly exports: readonly HistoryExport[]
  readonly can_export_everything: boolean
  readonly confirmation: 'password' | 'login'
}

export type SettingDeclarations = MembersOf<typeof declarationMembers>
export type SettingDeclaration = SettingDeclarations['user_settings'][string]
/** The values that a permission setting allows. */
export type PermissionRule = RegisterReply['server_supported_permission_settings']['realm'][string]

export type WireGroupSetting = WireChannel['can_send_message_group']

/** The user's own settings by name. */
export type UserSettings = { readonly [N in UserSettingName]: UserSettingValue<N> } & {
  /** An IANA name, or empty. */
  readonly timezone: string
}

export type WebhookDelivery = WebhookDeliveryJson
