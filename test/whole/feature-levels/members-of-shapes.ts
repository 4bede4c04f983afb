import type { MemberLevels } from './members.ts'

/** The members of the named shapes. */
export const shapeMembers: MemberLevels = {
  AggregatedPresence: { 247: 'client status timestamp' },
  AnonymousGroup: { 258: 'direct_members direct_subgroups' },
  Attachment: { 247: 'id name path_id size create_time messages-472' },
  'Attachment.messages': { 247: 'id-472 date_sent-472' },
  AttachmentId: { 247: 'id' },
  AuthenticationMethod: { 247: 'enabled available unavailable_reason' },
  Bot: {
    247: `
      user_id full_name-474 email-474 bot_type-474 is_active-474 api_key-474 avatar_url-474 owner_id-474
      default_sending_stream default_events_register_stream default_all_public_streams
      services`,
  },
  'Bot.services': { 247: 'base_url interface token service_name config_data' },
  BotChanges: {
    247: `
      user_id full_name-474 email-474 bot_type-474 is_active-474 api_key-474 avatar_url-474 owner_id-474
      default_sending_stream default_events_register_stream default_all_public_streams
      services`,
  },
  'BotChanges.services': { 247: 'base_url interface token service_name config_data' },
  BotId: { 247: 'user_id' },
  Channel: {
    247: `
      stream_id name description rendered_description date_created invite_only is_web_public
      stream_post_policy is_announcement_only message_retention_days
      history_public_to_subscribers first_message_id stream_weekly_traffic`,
    254: 'creator_id',
    315: 'is_archived',
    320: 'can_remove_subscribers_group',
    323: 'is_recently_active',
    325: 'can_administer_channel_group',
    333: 'can_send_message_group',
    342: 'can_add_subscribers_group',
    357: 'can_subscribe_group',
    389: 'folder_id',
    392: 'topics_policy',
    394: 'subscriber_count',
    396: 'can_move_messages_out_of_channel_group can_move_messages_within_channel_group',
    402: 'can_resolve_topics_group',
    407: 'can_delete_any_message_group can_delete_own_message_group',
    441: 'can_create_topic_group',
    507: 'default_push_notifications',
  },
  ChannelEmailAddress: { own: 'id stream_id creator_id sender_id created' },
  ChannelFolder: {
    247: 'id name description rendered_description date_created',
    254: 'creator_id',
    315: 'is_archived',
    410: 'order',
  },
  ChannelFolderChanges: {
    247: 'name description rendered_description',
    315: 'is_archived',
  },
  ChannelId: { 247: 'stream_id' },
  ChannelName: { 247: 'stream_id name' },
  Conversation: { 247: 'max_message_id user_ids' },
  CurrentPresenceStatus: { 247: 'status timestamp' },
  CustomProfileField: {
    247: 'id type name hint field_data display_in_profile_summary required',
    296: 'editable_by_user',
    410: 'order',
  },
  CustomProfileFieldType: { 247: 'id name' },
  Draft: { 247: 'id type to topic content timestamp' },
  EditHistoryEntry: {
    247: `
      user_id timestamp prev_content prev_rendered_content prev_rendered_content_version-284 prev_topic
      topic prev_stream stream`,
  },
  EditSnapshot: {
    247: `
      topic content rendered_content timestamp user_id prev_topic stream prev_stream
      prev_content prev_rendered_content content_html_diff`,
  },
  EditedDirectly: { 247: 'type user_ids' },
  EditedInChannel: {
    247: 'type topic',
    382: 'channel_id',
  },
  Emojiset: { 247: 'key text' },
  ExportConsent: {
    247: 'user_id',
    295: 'consented',
    430: 'email_address_visibility',
  },
  ExternalAccount: { 247: 'name text hint url_pattern' },
  ExternalAuthenticationMethod: { 247: 'name display_name display_icon login_url signup_url' },
  Gif: { own: 'title url preview_url width height' },
  GroupSettingUpdate: { 258: 'new old' },
  HealthResult: { own: 'name problem' },
  NewerRelease: { own: 'version url' },
  IncomingWebhookIntegration: {
    247: 'name display_name all_event_types config_options',
    318: 'url_options',
  },
  'IncomingWebhookIntegration.config_options': { 247: 'key label validator' },
  'IncomingWebhookIntegration.url_options': { 247: 'key label validator-485' },
  Integration: {
    own: `
      name display_name all_event_types config_options url_options category event_header steps
      rendered_steps example`,
  },
  QuietSchedule: { own: 'days start_minute end_minute timezone' },
  QuietTimes: { own: 'paused_until schedule' },
  'Integration.config_options': { own: 'key label validator' },
  'Integration.url_options': { own: 'key label validator is_on_by_default' },
  'Integration.example': { own: 'headers body topic content rendered_content' },
  Invite: {
    247: `
      id invited_by_user_id invited expiry_date invited_as is_multiuse email link_url`,
    267: 'notify_referrer_on_join',
  },
  LegacyPresence: { 247: 'website aggregated' },
  LinkedText: { own: 'start end text url' },
  Linkifier: {
    247: 'id pattern url_template',
    471: 'example_input reverse_template',
    478: 'alternative_url_templates',
  },
  ListedChannel: {
    247: `
      stream_id name description rendered_description date_created invite_only is_web_public
      stream_post_policy is_announcement_only message_retention_days
      history_public_to_subscribers first_message_id stream_weekly_traffic is_default`,
    254: 'creator_id',
    315: 'is_archived',
    320: 'can_remove_subscribers_group',
    323: 'is_recently_active',
    325: 'can_administer_channel_group',
    333: 'can_send_message_group',
    342: 'can_add_subscribers_group',
    357: 'can_subscribe_group',
    389: 'folder_id',
    392: 'topics_policy',
    394: 'subscriber_count',
    396: 'can_move_messages_out_of_channel_group can_move_messages_within_channel_group',
    402: 'can_resolve_topics_group',
    407: 'can_delete_any_message_group can_delete_own_message_group',
    441: 'can_create_topic_group',
    507: 'default_push_notifications',
  },
  Match: { 247: 'match_content match_subject' },
  Message: {
    247: `
      id type content content_type sender_id sender_email sender_full_name sender_realm_str
      avatar_url client display_recipient recipient_id stream_id subject topic_links
      timestamp is_me_message last_edit_timestamp edit_history reactions submessages flags
      match_content match_subject`,
    365: 'last_moved_timestamp',
  },
  MutedUser: { 247: 'id timestamp' },
  Narrow: { 247: 'operator operand negated' },
  NavigationView: {
    247: 'name',
    390: 'fragment is_pinned',
  },
  NavigationViewChanges: {
    247: 'name',
    390: 'is_pinned',
  },
  NeverSubscribedChannel: {
    247: `
      stream_id name description rendered_description date_created invite_only is_web_public
      stream_post_policy is_announcement_only message_retention_days
      history_public_to_subscribers first_message_id stream_weekly_traffic subscribers`,
    254: 'creator_id',
    315: 'is_archived',
    320: 'can_remove_subscribers_group',
    323: 'is_recently_active',
    325: 'can_administer_channel_group',
    333: 'can_send_message_group',
    342: 'can_add_subscribers_group',
    357: 'can_subscribe_group',
    389: 'folder_id',
    392: 'topics_policy',
    394: 'subscriber_count',
    396: 'can_move_messages_out_of_channel_group can_move_messages_within_channel_group',
    402: 'can_resolve_topics_group',
    407: 'can_delete_any_message_group can_delete_own_message_group',
    412: 'partial_subscribers',
    441: 'can_create_topic_group',
    507: 'default_push_notifications',
  },
  NewGroupSettingValue: { 258: 'direct_members direct_subgroups' },
  NewMessage: {
    247: `
      id type content content_type sender_id sender_email sender_full_name sender_realm_str
      avatar_url client display_recipient recipient_id stream_id subject topic_links
      timestamp is_me_message last_edit_timestamp edit_history reactions submessages`,
    365: 'last_moved_timestamp',
  },
  NumberedChoice: { 247: 'id name' },
  OnboardingStep: { 247: 'type name' },
  Presence: { 247: 'active_timestamp idle_timestamp' },
  PresenceStatus: { 247: 'status timestamp' },
  ProfileValue: { 247: 'value rendered_value' },
  ProfileValueChange: { 247: 'id value rendered_value' },
  PinnedMessage: { own: 'message_id user_id timestamp' },
  QrCode: { own: 'size path' },
  Reaction: { 247: 'emoji_name emoji_code reaction_type user_id user-328' },
  Reactor: { 247: 'user_id-484 email-484 full_name-484' },
  RealmBilling: { 363: 'has_pending_sponsorship_request' },
  RealmChanges: {
    247: `
      allow_message_editing avatar_changes_disabled default_code_block_language
      default_language digest_emails_enabled digest_weekday
      disallow_disposable_email_addresses email_changes_disabled
      emails_restricted_to_domains enable_guest_user_indicator enable_read_receipts
      enable_spectator_access giphy_rating-453 inline_image_preview inline_url_embed_preview
      invite_required jitsi_server_url message_content_allowed_in_email_notifications
      message_content_delete_limit_seconds message_content_edit_limit_seconds
      message_retention_days move_messages_between_streams_limit_seconds
      move_messages_within_stream_limit_seconds name_changes_disabled
      new_stream_announcements_stream_id org_type password_auth_enabled presence_disabled
      require_unique_names send_welcome_emails signup_announcements_stream_id
      video_chat_provider waiting_period_threshold want_advertise_in_communities_directory
      zulip_update_announcements_stream_id can_access_all_users_group
      create_multiuse_invite_group create_public_stream_policy create_private_stream_policy
      create_web_public_stream_policy wildcard_mention_policy allow_edit_history
      mandatory_topics is_zephyr_mirror_realm-426 name description icon_url icon_source logo_url
      logo_source night_logo_url night_logo_source authentication_methods
      max_file_upload_size_mib`,
    264: 'can_create_public_channel_group',
    266: 'can_create_private_channel_group',
    270: 'direct_message_initiator_group direct_message_permission_group',
    280: 'can_create_web_public_channel_group',
    281: 'can_delete_any_message_group',
    291: 'can_delete_own_message_group',
    299: 'can_create_groups can_manage_all_groups',
    306: 'upload_quota_mib',
    307: 'can_add_custom_emoji_group',
    310: 'can_move_messages_between_channels_group',
    316: 'can_move_messages_between_topics_group',
    321: 'can_invite_users_group',
    331: 'moderation_request_channel_id',
    334: 'empty_topic_display_name',
    341: 'can_add_subscribers_group',
    344: 'can_create_bots_group can_create_write_only_bots_group',
    348: 'enable_guest_user_dm_warning',
    350: 'can_summarize_topics_group',
    352: 'can_mention_many_users_group',
    358: 'message_edit_history_visibility_policy',
    363: 'can_manage_billing_group',
    367: 'can_resolve_topics_group',
    392: 'topics_policy can_set_topics_policy_group',
    407: 'can_set_delete_message_policy_group',
    409: 'require_e2ee_push_notifications',
    416: 'welcome_message_custom_text',
    434: 'send_channel_events_messages',
    own: 'can_connect_assistants_group message_content_allowed_in_push_notifications two_factor_required',
  },
  RealmDomain: { 247: 'domain allow_subdomains' },
  RealmEmoji: { 247: 'id name source_url still_url deactivated author_id' },
  RealmExport: {
    247: `
      id acting_user_id export_time deleted_timestamp failed_timestamp export_url pending
      export_type`,
  },
  RealmPlayground: { 247: 'id name pygments_language url_template' },
  Recipient: { 247: 'id email full_name is_mirror_dummy' },
  RegisteredUser: {
    247: `
      user_id delivery_email email full_name date_joined is_owner is_admin is_guest is_bot
      is_system_bot bot_type bot_owner_id role timezone avatar_url avatar_version
      profile_data is_billing_admin-363`,
  },
  RegularBackups: { own: 'hours keep succeeded_at bytes problem' },
  Reminder: {
    247: 'type to content rendered_content scheduled_delivery_timestamp failed',
    381: 'reminder_id reminder_target_message_id',
  },
  ReportType: { 247: 'key name' },
  SavedSnippet: { 247: 'id title content date_created' },
  ScheduledMessage: {
    247: `
      scheduled_message_id type to topic content rendered_content
      scheduled_delivery_timestamp failed`,
  },
  HistoryExport: {
    own: 'id acting_user_id format scope zulip_release requested_at state progress notes',
  },
  'HistoryExport.progress': { own: 'step done total' },
  ServerBackup: { own: 'name bytes made_at' },
  ConnectedAssistant: { own: 'id name may_write created last_used' },
  Session: { own: 'id created last_used device device_name is_current' },
  SettingDeclaration: {
    own: `
      kind is_nullable default options minimum maximum max_length description editable_by`,
  },
  StorageUse: { own: 'use bytes' },
  Submessage: { 247: 'msg_type content message_id sender_id id' },
  Subscription: {
    247: `
      stream_id name description rendered_description date_created invite_only is_web_public
      stream_post_policy is_announcement_only message_retention_days
      history_public_to_subscribers first_message_id stream_weekly_traffic color is_muted
      in_home_view pin_to_top desktop_notifications audible_notifications push_notifications
      email_notifications wildcard_mentions_notify subscribers`,
    254: 'creator_id',
    315: 'is_archived',
    320: 'can_remove_subscribers_group',
    323: 'is_recently_active',
    325: 'can_administer_channel_group',
    333: 'can_send_message_group',
    342: 'can_add_subscribers_group',
    357: 'can_subscribe_group',
    389: 'folder_id',
    392: 'topics_policy',
    394: 'subscriber_count',
    396: 'can_move_messages_out_of_channel_group can_move_messages_within_channel_group',
    402: 'can_resolve_topics_group',
    407: 'can_delete_any_message_group can_delete_own_message_group',
    412: 'partial_subscribers',
    441: 'can_create_topic_group',
    507: 'default_push_notifications',
  },
  SupportedChannelPermissions: {
    320: 'can_remove_subscribers_group',
    325: 'can_administer_channel_group',
    333: 'can_send_message_group',
    342: 'can_add_subscribers_group',
    357: 'can_subscribe_group',
    396: 'can_move_messages_out_of_channel_group can_move_messages_within_channel_group',
    402: 'can_resolve_topics_group',
    407: 'can_delete_any_message_group can_delete_own_message_group',
    441: 'can_create_topic_group',
  },
  SupportedGroupPermissions: {
    247: 'can_mention_group',
    283: 'can_manage_group',
    301: 'can_join_group',
    305: 'can_add_members_group',
    308: 'can_leave_group',
    324: 'can_remove_members_group',
  },
  SupportedPermissionSetting: {
    247: `
      require_system_group allow_internet_group allow_nobody_group allow_everyone_group
      default_group_name default_for_system_groups`,
    258: 'allowed_system_groups',
  },
  SupportedPermissionSettings: { 247: 'realm stream group' },
  SupportedRealmPermissions: {
    247: 'can_access_all_users_group create_multiuse_invite_group',
    264: 'can_create_public_channel_group',
    266: 'can_create_private_channel_group',
    270: 'direct_message_initiator_group direct_message_permission_group',
    280: 'can_create_web_public_channel_group',
    281: 'can_delete_any_message_group',
    291: 'can_delete_own_message_group',
    299: 'can_create_groups can_manage_all_groups',
    307: 'can_add_custom_emoji_group',
    310: 'can_move_messages_between_channels_group',
    316: 'can_move_messages_between_topics_group',
    321: 'can_invite_users_group',
    341: 'can_add_subscribers_group',
    344: 'can_create_bots_group can_create_write_only_bots_group',
    350: 'can_summarize_topics_group',
    352: 'can_mention_many_users_group',
    363: 'can_manage_billing_group',
    367: 'can_resolve_topics_group',
    392: 'can_set_topics_policy_group',
    407: 'can_set_delete_message_policy_group',
    own: 'can_connect_assistants_group',
  },
  ThumbnailFormat: {
    247: 'name format',
    273: 'max_width max_height animated',
  },
  Topic: { 247: 'name max_id' },
  TopicLink: { 247: 'text url' },
  Typist: { 247: 'user_id email' },
  UnreadChannelMessage: { 247: 'type mentioned stream_id topic' },
  UnreadDirectConversation: { 247: 'other_user_id sender_id unread_message_ids' },
  UnreadDirectMessage: { 247: 'type mentioned user_ids' },
  UnreadGroupConversation: { 247: 'user_ids_string unread_message_ids' },
  UnreadMessages: { 247: 'count pms streams huddles mentions old_unreads_missing' },
  UnreadTopic: { 247: 'stream_id topic unread_message_ids' },
  UsedAsSubgroup: {
    247: 'type',
    298: 'supergroup_ids',
  },
  UsedByChannel: {
    247: 'type settings',
    382: 'channel_id',
  },
  UsedByGroup: { 247: 'type group_id settings' },
  UsedByOrganization: { 247: 'type settings' },
  User: {
    247: `
      user_id delivery_email email full_name date_joined is_owner is_admin is_guest is_bot
      is_system_bot bot_type bot_owner_id role timezone avatar_url avatar_version
      profile_data is_billing_admin-363 is_active`,
  },
  UserChanges: {
    247: `
      user_id avatar_source avatar_url avatar_url_medium avatar_version bot_owner_id
      custom_profile_field delivery_email email full_name is_active new_email role timezone`,
  },
  UserGroup: {
    247: `
      id name description members direct_subgroup_ids is_system_group date_created
      deactivated can_mention_group`,
    254: 'creator_id',
    283: 'can_manage_group',
    301: 'can_join_group',
    305: 'can_add_members_group',
    308: 'can_leave_group',
    324: 'can_remove_members_group',
  },
  UserGroupChanges: {
    247: `
      id name description members direct_subgroup_ids is_system_group date_created
      deactivated can_mention_group`,
    254: 'creator_id',
    283: 'can_manage_group',
    301: 'can_join_group',
    305: 'can_add_members_group',
    308: 'can_leave_group',
    324: 'can_remove_members_group',
  },
  UserPresence: { 247: 'website aggregated' },
  UserSettings: {
    247: `
      dense_mode-364
      automatically_follow_topics_policy automatically_follow_topics_where_mentioned
      automatically_unmute_topics_in_muted_streams_policy color_scheme default_language
      demote_inactive_streams desktop_icon_count_display display_emoji_reaction_users
      email_address_visibility email_notifications_batching_period_seconds emojiset
      enable_desktop_notifications enable_digest_emails enable_drafts_synchronization
      enable_followed_topic_audible_notifications
      enable_followed_topic_desktop_notifications enable_followed_topic_email_notifications
      enable_followed_topic_push_notifications
      enable_followed_topic_wildcard_mentions_notify enable_login_emails
      enable_marketing_emails enable_offline_email_notifications
      enable_offline_push_notifications enable_online_push_notifications enable_sounds
      enable_stream_audible_notifications enable_stream_desktop_notifications
      enable_stream_email_notifications enable_stream_push_notifications enter_sends
      fluid_layout_width high_contrast_mode left_side_userlist
      message_content_in_email_notifications notification_sound
      pm_content_in_desktop_notifications presence_enabled
      realm_name_in_email_notifications_policy send_private_typing_notifications
      send_read_receipts send_stream_typing_notifications starred_message_counts
      translate_emoticons twenty_four_hour_time user_list_style
      web_escape_navigates_to_home_view web_font_size_px web_home_view
      web_line_height_percent web_mark_read_on_scroll_policy
      web_stream_unreads_count_display_policy wildcard_mentions_notify timezone
      available_notification_sounds emojiset_choices`,
    253: 'receives_typing_notifications',
    268: 'web_navigate_to_sent_message',
    269: 'web_channel_default_view',
    275: 'web_animate_image_previews',
    293: 'allow_private_data_export',
    329: 'web_suggest_update_timezone',
    350: 'hide_ai_features',
    385: 'resolved_topic_notice_auto_read_policy',
    398: 'web_left_sidebar_unreads_count_summary',
    411: 'web_left_sidebar_show_channel_folders',
  },
  UserSettingsDefaults: {
    247: `
      dense_mode-364
      automatically_follow_topics_policy automatically_follow_topics_where_mentioned
      automatically_unmute_topics_in_muted_streams_policy color_scheme default_language
      demote_inactive_streams desktop_icon_count_display display_emoji_reaction_users
      email_address_visibility email_notifications_batching_period_seconds emojiset
      enable_desktop_notifications enable_digest_emails enable_drafts_synchronization
      enable_followed_topic_audible_notifications
      enable_followed_topic_desktop_notifications enable_followed_topic_email_notifications
      enable_followed_topic_push_notifications
      enable_followed_topic_wildcard_mentions_notify enable_login_emails
      enable_marketing_emails enable_offline_email_notifications
      enable_offline_push_notifications enable_online_push_notifications enable_sounds
      enable_stream_audible_notifications enable_stream_desktop_notifications
      enable_stream_email_notifications enable_stream_push_notifications enter_sends
      fluid_layout_width high_contrast_mode left_side_userlist
      message_content_in_email_notifications notification_sound
      pm_content_in_desktop_notifications presence_enabled
      realm_name_in_email_notifications_policy send_private_typing_notifications
      send_read_receipts send_stream_typing_notifications starred_message_counts
      translate_emoticons twenty_four_hour_time user_list_style
      web_escape_navigates_to_home_view web_font_size_px web_home_view
      web_line_height_percent web_mark_read_on_scroll_policy
      web_stream_unreads_count_display_policy wildcard_mentions_notify
      available_notification_sounds emojiset_choices`,
    253: 'receives_typing_notifications',
    268: 'web_navigate_to_sent_message',
    269: 'web_channel_default_view',
    275: 'web_animate_image_previews',
    329: 'web_suggest_update_timezone',
    350: 'hide_ai_features',
    385: 'resolved_topic_notice_auto_read_policy',
    398: 'web_left_sidebar_unreads_count_summary',
    411: 'web_left_sidebar_show_channel_folders',
  },
  UserStatus: {
    247: 'status_text emoji_name emoji_code reaction_type away',
    own: 'scheduled_end_time',
  },
  UserTopic: { 247: 'stream_id topic_name last_updated visibility_policy' },
  WebhookDelivery: { own: 'id at message_id what status answer' },
  WebPushSubscription: {
    own: 'id device device_name service urgency created last_success is_current',
  },
  WebsitePresence: { 247: 'client status timestamp pushable' },
  WebsitePresences: { 247: 'website' },
}
