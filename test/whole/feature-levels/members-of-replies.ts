import type { MemberLevels } from './members.ts'

/** The members of the replies, besides those of every reply. */
export const replyMembers: MemberLevels = {
  'DELETE /realm/icon': { 247: 'icon_url' },
  'DELETE /users/me/alert_words': { 247: 'alert_words' },
  'DELETE /users/me/avatar': { 247: 'avatar_url' },
  'DELETE /users/me/sessions': { own: 'ended' },
  'DELETE /users/me/subscriptions': { 247: 'removed not_removed' },
  'GET /attachments': { 247: 'attachments upload_space_used' },
  'GET /bot_storage': { 247: 'storage' },
  'GET /bots': { 247: 'bots' },
  'GET /bots.bots': {
    247: `
      username full_name api_key avatar_url default_sending_stream
      default_events_register_stream default_all_public_streams`,
  },
  'GET /bots/{bot_id}/api_key': { 463: 'api_key' },
  'GET /bots/{bot_id}/deliveries': { own: 'deliveries signing_secret' },
  'GET /calls/bigbluebutton/create': { 247: 'url' },
  'GET /gifs': { own: 'gifs next' },
  'GET /channel_folders': { 389: 'channel_folders' },
  'GET /dev_list_users': { 247: 'direct_admins direct_users' },
  'GET /dev_list_users.direct_admins': {
    247: 'email realm_uri',
    257: 'realm_url',
  },
  'GET /dev_list_users.direct_users': {
    247: 'email realm_uri',
    257: 'realm_url',
  },
  'GET /drafts': { 247: 'count drafts' },
  'GET /events': { 247: 'events queue_id' },
  'GET /export/realm': { 247: 'exports' },
  'GET /export/realm/consents': { 295: 'export_consents' },
  'GET /get_stream_id': { 247: 'stream_id' },
  'GET /pinned_messages': { own: 'pinned_messages' },
  'GET /integrations': { own: 'categories integrations' },
  'GET /invites': { 247: 'invites' },
  'GET /messages': {
    247: 'anchor found_anchor found_oldest found_newest history_limited messages',
  },
  'GET /messages/matches_narrow': { 247: 'messages' },
  'GET /messages/{message_id}': { 247: 'message raw_content' },
  'GET /messages/{message_id}/history': { 247: 'message_history' },
  'GET /messages/{message_id}/read_receipts': { 247: 'user_ids' },
  'GET /navigation_views': { 390: 'navigation_views' },
  'GET /realm/assistants': { own: 'connections people' },
  'GET /realm/domains': { 247: 'domains' },
  'GET /export/history': { own: 'exports can_export_everything confirmation' },
  'POST /export/history': { own: 'id' },
  'POST /export/history/{export_id}/download': { own: 'url' },
  'GET /realm/emoji': { 247: 'emoji' },
  'GET /realm/linkifiers': { 247: 'linkifiers' },
  'GET /realm/presence': { 247: 'presences server_timestamp' },
  'GET /realm/profile_fields': { 247: 'custom_fields' },
  'GET /reminders': { 381: 'reminders' },
  'GET /saved_snippets': { 297: 'saved_snippets' },
  'GET /scheduled_messages': { 247: 'scheduled_messages' },
  'GET /server/status': {
    own: `
      version newer_release asks_for_releases zulip_version started_at health storage free_bytes mail_configured can_back_up
      backups most_backups backup_running backup_problem regular_backups confirmation`,
  },
  'GET /server_settings': {
    247: `
      zulip_version zulip_merge_base zulip_feature_level authentication_methods
      external_authentication_methods email_auth_enabled require_email_format_usernames
      push_notifications_enabled is_incompatible realm_web_public_access_enabled realm_uri
      realm_name realm_icon realm_description`,
    257: 'realm_url',
  },
  'GET /settings/declarations': {
    own: 'user_settings realm_settings channel_permissions group_permissions',
  },
  'GET /streams': { 247: 'streams' },
  'GET /streams/{stream_id}': { 247: 'stream' },
  'GET /streams/{stream_id}/email_address': { 247: 'email' },
  'GET /streams/{stream_id}/members': { 247: 'subscribers' },
  'GET /thumbnail/status/{realm_id}/{filename}': { 479: 'has_thumbnail' },
  'GET /user_groups': { 247: 'user_groups' },
  'GET /user_groups/{user_group_id}/members': { 247: 'members' },
  'GET /user_groups/{user_group_id}/members/{user_id}': { 247: 'is_user_group_member' },
  'GET /user_groups/{user_group_id}/subgroups': { 247: 'subgroups' },
  'GET /user_uploads/{realm_id}/{filename}': { 247: 'url' },
  'GET /users': { 247: 'members' },
  'GET /users/me': {
    247: `
      user_id delivery_email email full_name date_joined is_owner is_admin is_guest is_bot
      is_system_bot bot_type bot_owner_id role timezone avatar_url avatar_version
      profile_data is_active max_message_id`,
  },
  'GET /users/me/alert_words': { 247: 'alert_words' },
  'GET /users/me/assistants': { own: 'assistants url may_connect' },
  'GET /users/me/channel_email_addresses': { own: 'channel_email_addresses' },
  'GET /users/me/quiet_times': { own: 'quiet_times' },
  'PATCH /users/me/quiet_times': { own: 'quiet_times' },
  'GET /users/me/sessions': { own: 'sessions' },
  'GET /users/me/subscriptions': { 247: 'subscriptions' },
  'GET /users/me/two_factor': { own: 'enabled required recovery_codes_left confirmation' },
  'GET /users/me/{stream_id}/topics': { 247: 'topics' },
  'GET /users/{user_id_or_email}': { 247: 'user' },
  'GET /users/{user_id_or_email}/presence': { 247: 'presence' },
  'GET /users/{user_id}/channels': { 440: 'subscribed_channel_ids' },
  'GET /users/{user_id}/status': { 247: 'status' },
  'GET /users/{user_id}/subscriptions/{stream_id}': { 247: 'is_subscribed' },
  'GET /web_push/key': { own: 'public_key' },
  'GET /web_push/subscriptions': { own: 'subscriptions' },
  'PATCH /bots/{bot_id}': {
    247: `
      full_name avatar_url default_sending_stream default_events_register_stream
      default_all_public_streams services`,
  },
  'PATCH /bots/{bot_id}.services': { 247: 'base_url interface token service_name config_data' },
  'PATCH /messages/{message_id}': { 285: 'detached_uploads' },
  'PATCH /users/me/subscriptions': {
    247: 'subscribed already_subscribed unauthorized removed not_removed',
    397: 'new_subscription_messages_sent',
  },
  'POST /bots': {
    247: `
      user_id api_key avatar_url default_sending_stream default_events_register_stream
      default_all_public_streams`,
  },
  'POST /bots/{bot_id}/api_key/regenerate': { 247: 'api_key' },
  'POST /calls/nextcloud_talk/create': { 465: 'url' },
  'POST /calls/constructorgroups/create': { 460: 'url' },
  'POST /calls/zoom/create': { 247: 'url' },
  'POST /channel_folders/create': { 389: 'channel_folder_id' },
  'POST /channels/create': { 247: 'id' },
  'POST /dev_fetch_api_key': { 247: 'api_key email user_id' },
  'POST /drafts': { 247: 'ids' },
  'POST /export/realm': { 247: 'id' },
  'POST /external/{integration}': {
    247: 'code webhook_name event_type full_name email id',
    own: 'parameter is_unknown msg_template msg_values',
  },
  'POST /fetch_api_key': { 247: 'api_key email user_id' },
  'POST /invites/multiuse': { 247: 'invite_link' },
  'POST /mark_all_as_read': { 247: 'complete' },
  'POST /messages': { 247: 'id automatic_new_visibility_policy' },
  'POST /messages/flags': {
    247: 'messages',
    355: 'ignored_because_not_subscribed_channels',
  },
  'POST /messages/flags/narrow': {
    247: `
      processed_count updated_count first_processed_id last_processed_id found_oldest
      found_newest`,
    355: 'ignored_because_not_subscribed_channels',
  },
  'POST /messages/render': { 247: 'rendered' },
  'POST /realm/filters': { 247: 'id' },
  'POST /realm/icon': { 247: 'icon_url' },
  'POST /realm/linkifiers/preview': { own: 'problem links' },
  'POST /realm/playgrounds': { 247: 'id' },
  'POST /realm/profile_fields': { 247: 'id' },
  'POST /realm/test_welcome_bot_custom_message': { 247: 'message_id' },
  'POST /register': {
    247: `
      queue_id last_event_id event_queue_longpoll_timeout_seconds giphy_api_key
      realm_embedded_bots stop_words has_zoom_token recent_private_conversations
      max_message_id starred_messages unread_msgs drafts scheduled_messages streams
      realm_default_stream_groups realm_default_streams subscriptions unsubscribed
      never_subscribed muted_topics user_topics realm_users realm_non_active_users
      cross_realm_bots user_id email delivery_email full_name avatar_source avatar_url
      avatar_url_medium is_owner is_admin is_moderator is_guest can_create_streams
      can_create_public_streams can_create_private_streams can_create_web_public_streams
      can_subscribe_other_users can_invite_others_to_realm color_scheme-439 default_language-439
      demote_inactive_streams-439 emojiset-439 enable_drafts_synchronization-439 enter_sends-439
      fluid_layout_width-439 high_contrast_mode-439 left_side_userlist-439 starred_message_counts-439
      translate_emoticons-439 twenty_four_hour_time-439 web_home_view-439 timezone-439 emojiset_choices-439
      desktop_icon_count_display-439 email_notifications_batching_period_seconds-439
      enable_desktop_notifications-439 enable_digest_emails-439 enable_login_emails-439
      enable_marketing_emails-439 enable_offline_email_notifications-439
      enable_offline_push_notifications-439 enable_online_push_notifications-439 enable_sounds-439
      enable_stream_audible_notifications-439 enable_stream_desktop_notifications-439
      enable_stream_email_notifications-439 enable_stream_push_notifications-439
      message_content_in_email_notifications-439 notification_sound-439
      pm_content_in_desktop_notifications-439 presence_enabled-439
      realm_name_in_email_notifications_policy-439 wildcard_mentions_notify-439
      available_notification_sounds-439 realm_user_settings_defaults user_settings
      custom_profile_fields custom_profile_field_types user_status presences
      server_timestamp muted_users alert_words onboarding_steps navigation_tour_video_url
      realm_bots realm_incoming_webhook_bots realm_user_groups max_message_length
      max_topic_length max_stream_name_length max_stream_description_length
      max_file_upload_size_mib max_avatar_file_size_mib max_icon_file_size_mib
      max_logo_file_size_mib realm_upload_quota_mib password_min_length password_min_guesses
      server_generation development_environment server_emoji_data_url
      server_jitsi_server_url server_presence_ping_interval_seconds
      server_presence_offline_threshold_seconds
      server_typing_started_expiry_period_milliseconds
      server_typing_stopped_wait_period_milliseconds
      server_typing_started_wait_period_milliseconds server_web_public_streams_enabled
      server_avatar_changes_disabled server_name_changes_disabled
      server_inline_image_preview server_inline_url_embed_preview server_needs_upgrade
      settings_send_digest_emails server_supported_permission_settings
      realm_allow_message_editing realm_avatar_changes_disabled
      realm_default_code_block_language realm_default_language realm_digest_emails_enabled
      realm_digest_weekday realm_disallow_disposable_email_addresses
      realm_email_changes_disabled realm_emails_restricted_to_domains
      realm_enable_guest_user_indicator realm_enable_read_receipts
      realm_enable_spectator_access realm_giphy_rating-453 realm_inline_image_preview
      realm_inline_url_embed_preview realm_invite_required realm_jitsi_server_url
      realm_message_content_allowed_in_email_notifications
      realm_message_content_delete_limit_seconds realm_message_content_edit_limit_seconds
      realm_message_retention_days realm_move_messages_between_streams_limit_seconds
      realm_move_messages_within_stream_limit_seconds realm_name_changes_disabled
      realm_new_stream_announcements_stream_id realm_org_type realm_password_auth_enabled
      realm_presence_disabled realm_require_unique_names realm_send_welcome_emails
      realm_signup_announcements_stream_id realm_video_chat_provider
      realm_waiting_period_threshold realm_want_advertise_in_communities_directory
      realm_zulip_update_announcements_stream_id realm_can_access_all_users_group
      realm_create_multiuse_invite_group realm_create_public_stream_policy
      realm_create_private_stream_policy realm_create_web_public_stream_policy
      realm_wildcard_mention_policy realm_allow_edit_history realm_mandatory_topics
      realm_is_zephyr_mirror_realm-426 giphy_rating_options-453 realm_default_external_accounts
      realm_push_notifications_enabled realm_push_notifications_enabled_end_timestamp
      realm_plan_type zulip_plan_is_not_limited upgrade_text_for_wide_organization_logo
      realm_name realm_description realm_date_created realm_uri realm_icon_url
      realm_icon_source realm_logo_url realm_logo_source realm_night_logo_url
      realm_night_logo_source realm_authentication_methods realm_email_auth_enabled
      realm_available_video_chat_providers jitsi_server_url realm_bot_domain zulip_version
      zulip_merge_base zulip_feature_level realm_emoji realm_filters realm_linkifiers
      realm_playgrounds realm_domains`,
    257: 'realm_url',
    263: 'presence_last_update_id',
    264: 'realm_can_create_public_channel_group',
    266: 'realm_can_create_private_channel_group',
    270: 'realm_direct_message_initiator_group realm_direct_message_permission_group',
    273: 'server_thumbnail_formats',
    280: 'realm_can_create_web_public_channel_group',
    281: 'realm_can_delete_any_message_group',
    291: 'realm_can_delete_own_message_group',
    297: 'saved_snippets',
    299: 'realm_can_create_groups realm_can_manage_all_groups',
    307: 'realm_can_add_custom_emoji_group',
    310: 'realm_can_move_messages_between_channels_group',
    316: 'realm_can_move_messages_between_topics_group',
    321: 'realm_can_invite_users_group',
    331: 'realm_moderation_request_channel_id',
    332: `
      server_min_deactivated_realm_deletion_days server_max_deactivated_realm_deletion_days`,
    334: 'realm_empty_topic_display_name',
    338: 'password_max_length',
    341: 'realm_can_add_subscribers_group',
    344: 'realm_can_create_bots_group realm_can_create_write_only_bots_group',
    348: 'realm_enable_guest_user_dm_warning',
    350: 'server_can_summarize_topics realm_can_summarize_topics_group',
    352: 'realm_can_mention_many_users_group',
    358: 'realm_message_edit_history_visibility_policy',
    363: 'realm_billing realm_can_manage_billing_group',
    367: 'realm_can_resolve_topics_group',
    381: 'reminders max_reminder_note_length',
    389: `
      channel_folders max_channel_folder_name_length max_channel_folder_description_length`,
    390: 'navigation_views',
    392: 'realm_topics_policy realm_can_set_topics_policy_group',
    397: 'max_bulk_new_subscription_messages',
    406: 'push_devices-468',
    407: 'realm_can_set_delete_message_policy_group',
    409: 'realm_require_e2ee_push_notifications',
    416: 'realm_welcome_message_custom_text',
    434: 'realm_send_channel_events_messages',
    435: 'server_report_message_types',
    481: 'idle_queue_timeout_secs',
    own: `
      server_can_send_mail server_takes_mail server_owners_operate server_data_id
      server_nextcloud_url server_constructor_groups_url server_gif_provider server_zoom_url
      quiet_times realm_message_content_allowed_in_push_notifications realm_two_factor_required
      realm_can_connect_assistants_group`,
  },
  'POST /register.push_devices': {
    247: 'status',
    406: 'error_code',
  },
  'POST /reminders': { 381: 'reminder_id' },
  'POST /saved_snippets': { 297: 'saved_snippet_id' },
  'POST /scheduled_messages': { 247: 'scheduled_message_id' },
  'POST /server/backups': { own: 'name' },
  'POST /server/backups/{name}/download': { own: 'url' },
  'POST /server/test_mail': { own: 'address' },
  'POST /streams/{stream_id}/delete_topic': { 247: 'complete' },
  'POST /user_groups/create': { 247: 'group_id' },
  'POST /user_uploads': { 247: 'url uri filename' },
  'POST /users': { 247: 'user_id' },
  'POST /users/me/alert_words': { 247: 'alert_words' },
  'POST /users/me/api_key/regenerate': { 247: 'api_key' },
  'POST /users/me/avatar': { 247: 'avatar_url' },
  'POST /users/me/presence': {
    247: 'presences server_timestamp',
    263: 'presence_last_update_id',
  },
  'POST /users/me/subscriptions': {
    247: 'subscribed already_subscribed unauthorized',
    397: 'new_subscription_messages_sent',
  },
  'POST /users/me/two_factor': { own: 'secret uri qr' },
  'POST /users/me/two_factor/confirm': { own: 'recovery_codes' },
  'POST /users/me/two_factor/recovery_codes': { own: 'recovery_codes' },
  'POST /web_push/subscriptions': { own: 'id' },
}
