import type { MemberLevels } from './members.ts'

/** The members of the events. */
export const eventMembers: MemberLevels = {
  AlertWordsEvent: { 247: 'type alert_words id' },
  AttachmentEvent: { 247: 'type op attachment upload_space_used id' },
  AttachmentRemoveEvent: { 247: 'type op attachment upload_space_used id' },
  BotAddEvent: { 247: 'type op bot id' },
  BotDeleteEvent: { 247: 'type op bot id' },
  BotUpdateEvent: { 247: 'type op bot id' },
  ChannelCreateEvent: { 247: 'type op streams id' },
  ChannelDeleteEvent: { 247: 'type op stream_ids streams id' },
  ChannelFolderAddEvent: {
    247: 'type op id',
    389: 'channel_folder',
  },
  ChannelFolderReorderEvent: {
    247: 'type op id',
    410: 'order',
  },
  ChannelFolderUpdateEvent: {
    247: 'type op data id',
    389: 'channel_folder_id',
  },
  ChannelTypingEvent: { 247: 'type op message_type sender stream_id topic id' },
  ChannelUpdateEvent: {
    247: `
      type op stream_id name property value rendered_description
      history_public_to_subscribers is_web_public id`,
  },
  CustomEmojiAddEvent: { 491: 'type op emoji id' },
  CustomEmojiUpdateEvent: { 247: 'type op realm_emoji id' },
  CustomEmojiUpdateOneEvent: { 491: 'type op emoji_id data id' },
  'CustomEmojiUpdateOneEvent.data': { 491: 'deactivated' },
  CustomProfileFieldsEvent: { 247: 'type fields id' },
  DefaultChannelsEvent: { 247: 'type default_streams id' },
  DeleteMessageEvent: { 247: 'type message_ids message_id message_type stream_id topic id' },
  DirectTypingEvent: { 247: 'type op message_type sender recipients id' },
  DisplaySettingsEvent: {
    247: 'type-439 user-439 setting_name-439 setting-439 language_name-439 id-439',
  },
  DraftsAddEvent: { 247: 'type op drafts id' },
  DraftsRemoveEvent: { 247: 'type op draft_id id' },
  DraftsUpdateEvent: { 247: 'type op draft id' },
  GlobalNotificationsEvent: { 247: 'type-439 user-439 notification_name-439 setting-439 id-439' },
  HasZoomTokenEvent: { 247: 'type value id' },
  HeartbeatEvent: { 247: 'type id' },
  InvitesChangedEvent: { 247: 'type id' },
  MessageEvent: { 247: 'type message flags local_message_id id' },
  MutedTopicsEvent: { 247: 'type muted_topics id' },
  MutedUsersEvent: { 247: 'type muted_users id' },
  NavigationViewAddEvent: {
    247: 'type op id',
    390: 'navigation_view',
  },
  NavigationViewRemoveEvent: {
    247: 'type op id',
    390: 'fragment',
  },
  NavigationViewUpdateEvent: {
    247: 'type op data id',
    390: 'fragment',
  },
  OnboardingStepsEvent: { 247: 'type onboarding_steps id' },
  PinAddEvent: { own: 'type op pinned_message id' },
  PinRemoveEvent: { own: 'type op message_id id' },
  PresenceEvent: { 247: 'type user_id email server_timestamp presence id' },
  PushDeviceEvent: {
    247: 'type-468 status-468 id-468',
    406: 'push_account_id-468 error_code-468',
  },
  QuietTimesEvent: { own: 'type quiet_times id' },
  ReactionEvent: {
    247: 'type op message_id user_id user-484 emoji_name emoji_code reaction_type id',
  },
  RealmDeactivatedEvent: { 247: 'type op realm_id id' },
  RealmDomainEvent: { 247: 'type op realm_domain id' },
  RealmDomainRemoveEvent: { 247: 'type op domain id' },
  RealmExportConsentEvent: {
    247: 'type user_id id',
    295: 'consented',
  },
  RealmExportEvent: { 247: 'type exports id' },
  RealmLinkifiersEvent: { 247: 'type realm_linkifiers id' },
  RealmPlaygroundsEvent: { 247: 'type realm_playgrounds id' },
  RealmUpdateDictEvent: { 247: 'type op property data id' },
  RemindersAddEvent: {
    247: 'type op id',
    381: 'reminders',
  },
  RemindersRemoveEvent: {
    247: 'type op id',
    381: 'reminder_id',
  },
  RestartEvent: {
    247: 'type zulip_version zulip_merge_base zulip_feature_level server_generation id',
  },
  SavedSnippetsEvent: {
    247: 'type op id',
    297: 'saved_snippet',
  },
  SavedSnippetsRemoveEvent: {
    247: 'type op id',
    297: 'saved_snippet_id',
  },
  ScheduledMessagesAddEvent: { 247: 'type op scheduled_messages id' },
  ScheduledMessagesRemoveEvent: { 247: 'type op scheduled_message_id id' },
  ScheduledMessagesUpdateEvent: { 247: 'type op scheduled_message id' },
  ServerBackupsEvent: { own: 'type id' },
  SimplifiedPresenceEvent: { 247: 'type presences id' },
  SubmessageEvent: { 247: 'type msg_type content message_id sender_id submessage_id id' },
  SubscriptionAddEvent: { 247: 'type op subscriptions id' },
  SubscriptionPeerEvent: { 247: 'type op stream_ids user_ids id' },
  SubscriptionRemoveEvent: { 247: 'type op subscriptions id' },
  SubscriptionUpdateEvent: { 247: 'type op stream_id property value id' },
  TypingEditMessageEvent: {
    247: 'type op sender_id message_id id',
    351: 'recipient',
  },
  UpdateMessageEvent: {
    247: `
      type user_id rendering_only message_id message_ids flags edit_timestamp stream_id
      stream_name orig_content orig_rendered_content content rendered_content is_me_message
      propagate_mode orig_subject subject topic_links new_stream_id id`,
  },
  UpdateMessageFlagsAddEvent: { 247: 'type op operation flag messages all id' },
  UpdateMessageFlagsRemoveEvent: { 247: 'type op operation flag messages all message_details id' },
  UserAddEvent: { 247: 'type op person id' },
  UserGroupAddEvent: { 247: 'type op group id' },
  UserGroupMembersEvent: { 247: 'type op group_id user_ids id' },
  UserGroupRemoveEvent: { 247: 'type op group_id id' },
  UserGroupSubgroupsEvent: { 247: 'type op group_id direct_subgroup_ids id' },
  UserGroupUpdateEvent: { 247: 'type op group_id data id' },
  UserRemoveEvent: { 247: 'type op person id' },
  'UserRemoveEvent.person': { 247: 'user_id full_name' },
  UserSettingsDefaultsEvent: { 247: 'type op property value id' },
  UserSettingsEvent: { 247: 'type op property value language_name id' },
  UserStatusEvent: {
    247: 'type user_id status_text emoji_name emoji_code reaction_type away id',
    own: 'scheduled_end_time',
  },
  UserTopicEvent: { 247: 'type stream_id topic_name last_updated visibility_policy id' },
  UserUpdateEvent: { 247: 'type op person id' },
}
