-- Two things here are by hand: WITHOUT ROWID, which saves an index, and the full-text index at the end.
CREATE TABLE `bot_options` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`sending_channel_id` integer,
	`events_channel_id` integer,
	`all_public_channels` integer DEFAULT false NOT NULL,
	`integration` text,
	`awaits_owner` integer DEFAULT false NOT NULL,
	`config` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `bot_services` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`base_url` text NOT NULL,
	`interface` integer NOT NULL,
	`token` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `bot_storage` (
	`user_id` integer NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	`size` integer NOT NULL,
	PRIMARY KEY(`user_id`, `key`)
);
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`bot_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`trigger` text NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`due_at`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_bot` ON `webhook_deliveries` (`bot_id`);--> statement-breakpoint
CREATE TABLE `channel_folders` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`rendered_description` text DEFAULT '' NOT NULL,
	`position` integer NOT NULL,
	`date_created` integer,
	`creator_id` integer,
	`is_archived` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE `channels` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`rendered_description` text DEFAULT '' NOT NULL,
	`creator_id` integer,
	`date_created` integer NOT NULL,
	`recipient_id` integer NOT NULL,
	`is_private` integer DEFAULT false NOT NULL,
	`is_web_public` integer DEFAULT false NOT NULL,
	`history_public` integer DEFAULT true NOT NULL,
	`is_archived` integer DEFAULT false NOT NULL,
	`is_default` integer DEFAULT false NOT NULL,
	`retention_days` integer,
	`topics_policy` text DEFAULT 'inherit' NOT NULL,
	`folder_id` integer,
	`first_message_id` integer,
	`default_push_notifications` integer DEFAULT false NOT NULL,
	`can_add_subscribers_group` integer NOT NULL,
	`can_administer_channel_group` integer NOT NULL,
	`can_create_topic_group` integer NOT NULL,
	`can_delete_any_message_group` integer NOT NULL,
	`can_delete_own_message_group` integer NOT NULL,
	`can_move_messages_out_of_channel_group` integer NOT NULL,
	`can_move_messages_within_channel_group` integer NOT NULL,
	`can_remove_subscribers_group` integer NOT NULL,
	`can_resolve_topics_group` integer NOT NULL,
	`can_send_message_group` integer NOT NULL,
	`can_subscribe_group` integer NOT NULL,
	FOREIGN KEY (`can_add_subscribers_group`) REFERENCES `user_groups`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`can_administer_channel_group`) REFERENCES `user_groups`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`can_create_topic_group`) REFERENCES `user_groups`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`can_delete_any_message_group`) REFERENCES `user_groups`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`can_delete_own_message_group`) REFERENCES `user_groups`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`can_move_messages_out_of_channel_group`) REFERENCES `user_groups`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`can_move_messages_within_channel_group`) REFERENCES `user_groups`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`can_remove_subscribers_group`) REFERENCES `user_groups`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`can_resolve_topics_group`) REFERENCES `user_groups`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`can_send_message_group`) REFERENCES `user_groups`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`can_subscribe_group`) REFERENCES `user_groups`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `channels_name` ON `channels` (`name_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `channels_recipient` ON `channels` (`recipient_id`);--> statement-breakpoint
CREATE INDEX `channels_retention` ON `channels` (`id`) WHERE retention_days > 0;--> statement-breakpoint
CREATE TABLE `subscription_spans` (
	`user_id` integer NOT NULL,
	`channel_id` integer NOT NULL,
	`from_message` integer NOT NULL,
	`until_message` integer,
	PRIMARY KEY(`user_id`, `channel_id`, `from_message`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `subscription_spans_channel` ON `subscription_spans` (`channel_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`user_id` integer NOT NULL,
	`channel_id` integer NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	`color` text NOT NULL,
	`is_muted` integer DEFAULT false NOT NULL,
	`pin_to_top` integer DEFAULT false NOT NULL,
	`desktop_notifications` integer,
	`audible_notifications` integer,
	`push_notifications` integer,
	`email_notifications` integer,
	`wildcard_mentions_notify` integer,
	PRIMARY KEY(`user_id`, `channel_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `subscriptions_channel` ON `subscriptions` (`channel_id`,`is_active`,`user_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_notified` ON `subscriptions` (`channel_id`,`user_id`) WHERE is_active AND (push_notifications OR email_notifications);--> statement-breakpoint
CREATE TABLE `user_topics` (
	`user_id` integer NOT NULL,
	`channel_id` integer NOT NULL,
	`topic_key` text NOT NULL,
	`topic` text NOT NULL,
	`policy` integer NOT NULL,
	`last_updated` integer NOT NULL,
	PRIMARY KEY(`user_id`, `channel_id`, `topic_key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `user_topics_topic` ON `user_topics` (`channel_id`,`topic_key`);--> statement-breakpoint
CREATE INDEX `user_topics_followed` ON `user_topics` (`channel_id`,`topic_key`,`user_id`) WHERE policy = 3;--> statement-breakpoint
CREATE TABLE `emoji_pictures` (
	`file_name` text PRIMARY KEY NOT NULL,
	`file_hash` text NOT NULL,
	`content_type` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `emoji_pictures_file` ON `emoji_pictures` (`file_hash`);--> statement-breakpoint
CREATE TABLE `realm_emoji` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`author_id` integer,
	`file_name` text NOT NULL,
	`still_file_name` text,
	`deactivated` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `realm_emoji_name` ON `realm_emoji` (`name`);--> statement-breakpoint
CREATE TABLE `realm_exports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`acting_user_id` integer NOT NULL,
	`type` text NOT NULL,
	`requested_at` integer NOT NULL,
	`token` text NOT NULL,
	`file_hash` text,
	`failed_at` integer,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `realm_exports_token` ON `realm_exports` (`token`);--> statement-breakpoint
CREATE INDEX `realm_exports_file` ON `realm_exports` (`file_hash`);--> statement-breakpoint
CREATE INDEX `realm_exports_pending` ON `realm_exports` (`requested_at`) WHERE file_hash IS NULL AND failed_at IS NULL AND deleted_at IS NULL;--> statement-breakpoint
CREATE TABLE `attachment_claims` (
	`attachment_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	PRIMARY KEY(`attachment_id`, `message_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `attachment_claims_message` ON `attachment_claims` (`message_id`);--> statement-breakpoint
CREATE TABLE `attachment_schedules` (
	`attachment_id` integer NOT NULL,
	`scheduled_message_id` integer NOT NULL,
	PRIMARY KEY(`attachment_id`, `scheduled_message_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `attachment_schedules_message` ON `attachment_schedules` (`scheduled_message_id`);--> statement-breakpoint
CREATE TABLE `attachments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`path_id` text NOT NULL,
	`owner_id` integer NOT NULL,
	`name` text NOT NULL,
	`content_type` text NOT NULL,
	`file_hash` text NOT NULL,
	`size` integer NOT NULL,
	`created_at` integer NOT NULL,
	`unclaimed_since` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `attachments_path` ON `attachments` (`path_id`);--> statement-breakpoint
CREATE INDEX `attachments_owner` ON `attachments` (`owner_id`);--> statement-breakpoint
CREATE INDEX `attachments_file` ON `attachments` (`file_hash`);--> statement-breakpoint
CREATE INDEX `attachments_unclaimed` ON `attachments` (`unclaimed_since`) WHERE unclaimed_since IS NOT NULL;--> statement-breakpoint
CREATE TABLE `loose_files` (
	`hash` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `loose_files_since` ON `loose_files` (`since`);--> statement-breakpoint
CREATE TABLE `placeholder_messages` (
	`message_id` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `resumable_parts` (
	`upload_id` text NOT NULL,
	`start` integer NOT NULL,
	`file_hash` text NOT NULL,
	PRIMARY KEY(`upload_id`, `start`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `resumable_parts_file` ON `resumable_parts` (`file_hash`);--> statement-breakpoint
CREATE TABLE `resumable_uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` integer NOT NULL,
	`metadata` text NOT NULL,
	`length` integer NOT NULL,
	`received` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL,
	`attachment_id` integer
);
--> statement-breakpoint
CREATE INDEX `resumable_uploads_owner` ON `resumable_uploads` (`owner_id`);--> statement-breakpoint
CREATE INDEX `resumable_uploads_expiry` ON `resumable_uploads` (`expires_at`);--> statement-breakpoint
CREATE TABLE `thumbnails` (
	`attachment_id` integer NOT NULL,
	`format` text NOT NULL,
	`file_hash` text NOT NULL,
	PRIMARY KEY(`attachment_id`, `format`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `thumbnails_file` ON `thumbnails` (`file_hash`);--> statement-breakpoint
CREATE TABLE `upload_pictures` (
	`attachment_id` integer PRIMARY KEY NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`animated` integer DEFAULT false NOT NULL,
	`state` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `upload_pictures_pending` ON `upload_pictures` (`attachment_id`) WHERE state = 'pending';--> statement-breakpoint
CREATE TABLE `group_members` (
	`group_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	PRIMARY KEY(`group_id`, `user_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `group_members_user` ON `group_members` (`user_id`,`group_id`);--> statement-breakpoint
CREATE TABLE `group_subgroups` (
	`group_id` integer NOT NULL,
	`subgroup_id` integer NOT NULL,
	PRIMARY KEY(`group_id`, `subgroup_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `group_subgroups_subgroup` ON `group_subgroups` (`subgroup_id`,`group_id`);--> statement-breakpoint
CREATE TABLE `user_groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text,
	`name_key` text,
	`description` text DEFAULT '' NOT NULL,
	`is_system` integer DEFAULT false NOT NULL,
	`creator_id` integer,
	`date_created` integer,
	`deactivated` integer DEFAULT false NOT NULL,
	`can_add_members_group` integer,
	`can_join_group` integer,
	`can_leave_group` integer,
	`can_manage_group` integer,
	`can_mention_group` integer,
	`can_remove_members_group` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `user_groups_name` ON `user_groups` (`name_key`);--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`email` text,
	`inviter_id` integer NOT NULL,
	`role` integer NOT NULL,
	`channel_ids` text NOT NULL,
	`group_ids` text NOT NULL,
	`join_default_channels` integer DEFAULT false NOT NULL,
	`welcome_text` text,
	`tell_inviter` integer DEFAULT false NOT NULL,
	`reminders` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`ended_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_key` ON `invitations` (`key`);--> statement-breakpoint
CREATE INDEX `invitations_open` ON `invitations` (`id`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `invitations_inviter` ON `invitations` (`inviter_id`);--> statement-breakpoint
CREATE TABLE `identities` (
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` integer NOT NULL,
	`linked_at` integer NOT NULL,
	PRIMARY KEY(`issuer`, `subject`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_user` ON `identities` (`user_id`,`issuer`);--> statement-breakpoint
CREATE TABLE `identity_providers` (
	`id` text PRIMARY KEY NOT NULL,
	`settings` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `login_attempts` (
	`key_hash` text PRIMARY KEY NOT NULL,
	`browser_hash` text,
	`user_id` integer,
	`details` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `login_attempts_expiry` ON `login_attempts` (`expires_at`);--> statement-breakpoint
CREATE INDEX `login_attempts_user` ON `login_attempts` (`user_id`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`user_id` integer NOT NULL,
	`code_hash` text NOT NULL,
	PRIMARY KEY(`user_id`, `code_hash`)
);
--> statement-breakpoint
CREATE TABLE `scim_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `second_factors` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`is_on` integer DEFAULT false NOT NULL,
	`last_step` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `digest_runs` (
	`started_at` integer PRIMARY KEY NOT NULL,
	`after_user_id` integer NOT NULL,
	`is_done` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `mail_links` (
	`key_hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`user_id` integer,
	`email` text NOT NULL,
	`invitation_id` integer,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mail_links_user` ON `mail_links` (`user_id`);--> statement-breakpoint
CREATE INDEX `mail_links_expiry` ON `mail_links` (`expires_at`);--> statement-breakpoint
CREATE TABLE `outgoing_mail` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`address` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`html` text,
	`headers` text,
	`failures` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `outgoing_mail_due` ON `outgoing_mail` (`due_at`);--> statement-breakpoint
CREATE TABLE `channel_mail_addresses` (
	`token` text PRIMARY KEY NOT NULL,
	`channel_id` integer NOT NULL,
	`creator_id` integer NOT NULL,
	`sender_id` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `channel_mail_addresses_creator` ON `channel_mail_addresses` (`creator_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `channel_mail_addresses_of` ON `channel_mail_addresses` (`channel_id`,`creator_id`,`sender_id`);--> statement-breakpoint
CREATE TABLE `received_mail` (
	`key` text PRIMARY KEY NOT NULL,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `received_mail_time` ON `received_mail` (`received_at`);--> statement-breakpoint
CREATE TABLE `reply_addresses` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `reply_addresses_user` ON `reply_addresses` (`user_id`);--> statement-breakpoint
CREATE INDEX `reply_addresses_created` ON `reply_addresses` (`created_at`);--> statement-breakpoint
CREATE TABLE `direct_members` (
	`user_id` integer NOT NULL,
	`recipient_id` integer NOT NULL,
	PRIMARY KEY(`user_id`, `recipient_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `direct_members_recipient` ON `direct_members` (`recipient_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `message_edits` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`message_id` integer NOT NULL,
	`user_id` integer,
	`edited_at` integer NOT NULL,
	`prev_topic` text,
	`topic` text,
	`prev_channel_id` integer,
	`channel_id` integer,
	`prev_content` text,
	`prev_rendered_content` text
);
--> statement-breakpoint
CREATE INDEX `message_edits_message` ON `message_edits` (`message_id`,`id`);--> statement-breakpoint
CREATE INDEX `message_edits_content` ON `message_edits` (`message_id`,`id`) WHERE prev_content IS NOT NULL;--> statement-breakpoint
CREATE INDEX `message_edits_move` ON `message_edits` (`message_id`,`id`) WHERE (prev_topic IS NOT NULL OR prev_channel_id IS NOT NULL);--> statement-breakpoint
CREATE INDEX `message_edits_channel` ON `message_edits` (`message_id`,`prev_channel_id`) WHERE prev_channel_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `message_flags` (
	`user_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`flags` integer NOT NULL,
	PRIMARY KEY(`user_id`, `message_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `message_flags_message` ON `message_flags` (`message_id`);--> statement-breakpoint
CREATE TABLE `messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`recipient_id` integer NOT NULL,
	`sender_id` integer NOT NULL,
	`topic` text NOT NULL,
	`topic_key` text NOT NULL,
	`content` text NOT NULL,
	`rendered_content` text NOT NULL,
	`sent_at` integer NOT NULL,
	`client` text NOT NULL,
	`has_link` integer DEFAULT false NOT NULL,
	`has_image` integer DEFAULT false NOT NULL,
	`has_attachment` integer DEFAULT false NOT NULL,
	`is_me` integer DEFAULT false NOT NULL,
	`channel_wildcard` integer DEFAULT false NOT NULL,
	`last_edit_at` integer,
	`last_moved_at` integer
);
--> statement-breakpoint
CREATE INDEX `messages_recipient` ON `messages` (`recipient_id`,`id`,`topic`);--> statement-breakpoint
CREATE INDEX `messages_topic` ON `messages` (`recipient_id`,`topic_key`,`id`);--> statement-breakpoint
CREATE INDEX `messages_sender` ON `messages` (`recipient_id`,`sender_id`,`id`);--> statement-breakpoint
CREATE INDEX `messages_wildcard` ON `messages` (`recipient_id`,`id`) WHERE channel_wildcard;--> statement-breakpoint
CREATE INDEX `messages_resolved` ON `messages` (`recipient_id`,`id`) WHERE substr(topic, 1, 2) = '✔ ';--> statement-breakpoint
CREATE INDEX `messages_link` ON `messages` (`recipient_id`,`id`) WHERE has_link;--> statement-breakpoint
CREATE INDEX `messages_image` ON `messages` (`recipient_id`,`id`) WHERE has_image;--> statement-breakpoint
CREATE INDEX `messages_attachment` ON `messages` (`recipient_id`,`id`) WHERE has_attachment;--> statement-breakpoint
CREATE TABLE `older_read_state` (
	`user_id` integer NOT NULL,
	`recipient_id` integer NOT NULL,
	`ranges` blob NOT NULL,
	PRIMARY KEY(`user_id`, `recipient_id`)
);
--> statement-breakpoint
CREATE TABLE `reactions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`message_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`emoji_name` text NOT NULL,
	`emoji_code` text NOT NULL,
	`reaction_type` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reactions_vote` ON `reactions` (`message_id`,`user_id`,`emoji_code`,`reaction_type`);--> statement-breakpoint
CREATE INDEX `reactions_user` ON `reactions` (`user_id`,`message_id`);--> statement-breakpoint
CREATE TABLE `read_state` (
	`user_id` integer NOT NULL,
	`recipient_id` integer NOT NULL,
	`ranges` blob NOT NULL,
	PRIMARY KEY(`user_id`, `recipient_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `read_state_recipient` ON `read_state` (`recipient_id`);--> statement-breakpoint
CREATE TABLE `recipients` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`channel_id` integer,
	`direct_key` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `recipients_direct` ON `recipients` (`direct_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `recipients_channel` ON `recipients` (`channel_id`);--> statement-breakpoint
CREATE TABLE `submessages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`message_id` integer NOT NULL,
	`sender_id` integer NOT NULL,
	`msg_type` text NOT NULL,
	`content` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `submessages_message` ON `submessages` (`message_id`);--> statement-breakpoint
CREATE TABLE `notification_parts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`message_id` integer NOT NULL,
	`is_edit` integer NOT NULL,
	`user_ids` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `notifications` (
	`user_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`push_trigger` text,
	`email_trigger` text,
	`group_id` integer,
	`created_at` integer NOT NULL,
	`email_due_at` integer,
	PRIMARY KEY(`user_id`, `message_id`)
);
--> statement-breakpoint
CREATE INDEX `notifications_due` ON `notifications` (`email_due_at`) WHERE email_due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `notifications_pending` ON `notifications` (`user_id`) WHERE email_due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `notifications_created` ON `notifications` (`created_at`);--> statement-breakpoint
CREATE TABLE `profile_fields` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`hint` text DEFAULT '' NOT NULL,
	`field_type` integer NOT NULL,
	`field_data` text NOT NULL,
	`position` integer NOT NULL,
	`display_in_profile_summary` integer DEFAULT false NOT NULL,
	`required` integer DEFAULT false NOT NULL,
	`editable_by_user` integer DEFAULT true NOT NULL,
	`use_for_user_matching` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE `profile_values` (
	`user_id` integer NOT NULL,
	`field_id` integer NOT NULL,
	`value` text NOT NULL,
	`rendered_value` text,
	PRIMARY KEY(`user_id`, `field_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `profile_values_field` ON `profile_values` (`field_id`);--> statement-breakpoint
CREATE TABLE `push_devices` (
	`user_id` integer NOT NULL,
	`push_account_id` integer NOT NULL,
	`token_kind` text NOT NULL,
	`public_key` text NOT NULL,
	`service_public_key` text NOT NULL,
	`encrypted_registration` text NOT NULL,
	`service_device_id` integer,
	`error_code` text,
	`failures` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	PRIMARY KEY(`user_id`, `push_account_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `push_devices_due` ON `push_devices` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `push_service` (
	`id` integer PRIMARY KEY NOT NULL,
	`owner_secret` text NOT NULL,
	`upload_due_at` integer NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`uploaded_at` integer,
	`counts` text,
	`problem` text
);
--> statement-breakpoint
CREATE TABLE `push_tokens` (
	`kind` text NOT NULL,
	`token` text NOT NULL,
	`user_id` integer NOT NULL,
	`app_id` text,
	`registered_at` integer NOT NULL,
	`service_due_at` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	`is_removed` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`user_id`, `kind`, `token`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `push_tokens_due` ON `push_tokens` (`service_due_at`) WHERE service_due_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `pushes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`subscription_id` integer,
	`message_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer,
	`sent_at` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`subscription_id`) REFERENCES `web_push_subscriptions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `pushes_due` ON `pushes` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `pushes_message` ON `pushes` (`message_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `pushes_target` ON `pushes` (`user_id`,`subscription_id`,`id`);--> statement-breakpoint
CREATE INDEX `pushes_subscription` ON `pushes` (`subscription_id`);--> statement-breakpoint
CREATE INDEX `pushes_created` ON `pushes` (`created_at`);--> statement-breakpoint
CREATE TABLE `web_push_key` (
	`id` integer PRIMARY KEY NOT NULL,
	`private_key` text NOT NULL,
	`public_key` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `web_push_subscriptions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`session_id` text,
	`endpoint` text NOT NULL,
	`p256dh` text NOT NULL,
	`auth` text NOT NULL,
	`urgency` text NOT NULL,
	`device` text NOT NULL,
	`created_at` integer NOT NULL,
	`succeeded_at` integer,
	`paused_until` integer,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`token_hash`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `web_push_subscriptions_endpoint` ON `web_push_subscriptions` (`endpoint`);--> statement-breakpoint
CREATE INDEX `web_push_subscriptions_user` ON `web_push_subscriptions` (`user_id`);--> statement-breakpoint
CREATE INDEX `web_push_subscriptions_session` ON `web_push_subscriptions` (`session_id`);--> statement-breakpoint
CREATE TABLE `event_queues` (
	`number` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`request` text NOT NULL,
	`last_event_id` integer NOT NULL,
	`acknowledged_id` integer NOT NULL,
	`is_exact` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE `queued_events` (
	`id` integer PRIMARY KEY NOT NULL,
	`json` text NOT NULL,
	`places` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `quota_uses` (
	`quota` text NOT NULL,
	`subject` text NOT NULL,
	`expires_at` integer NOT NULL,
	`amount` integer NOT NULL,
	PRIMARY KEY(`quota`, `subject`, `expires_at`)
);
--> statement-breakpoint
CREATE INDEX `quota_uses_expiry` ON `quota_uses` (`expires_at`);--> statement-breakpoint
CREATE TABLE `linkifiers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`pattern` text NOT NULL,
	`url_template` text NOT NULL,
	`example_input` text,
	`reverse_template` text,
	`alternative_url_templates` text NOT NULL,
	`position` real NOT NULL
);
--> statement-breakpoint
CREATE TABLE `playgrounds` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`language` text NOT NULL,
	`url_template` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `realm` (
	`id` integer PRIMARY KEY NOT NULL,
	`uuid` text NOT NULL,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`date_created` integer NOT NULL,
	`secret` text NOT NULL,
	`deactivated_at` integer,
	`deletion_at` integer
);
--> statement-breakpoint
CREATE TABLE `realm_domains` (
	`domain` text PRIMARY KEY NOT NULL,
	`allow_subdomains` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE `realm_pictures` (
	`kind` text PRIMARY KEY NOT NULL,
	`file_hash` text,
	`version` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `realm_pictures_file` ON `realm_pictures` (`file_hash`);--> statement-breakpoint
CREATE TABLE `realm_settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `realm_user_defaults` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `drafts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`type` text NOT NULL,
	`to` text NOT NULL,
	`topic` text NOT NULL,
	`content` text NOT NULL,
	`edited_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `drafts_user` ON `drafts` (`user_id`);--> statement-breakpoint
CREATE TABLE `reminders` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`note` text NOT NULL,
	`content` text NOT NULL,
	`rendered_content` text NOT NULL,
	`deliver_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `reminders_user` ON `reminders` (`user_id`,`deliver_at`);--> statement-breakpoint
CREATE INDEX `reminders_due` ON `reminders` (`deliver_at`);--> statement-breakpoint
CREATE INDEX `reminders_message` ON `reminders` (`message_id`);--> statement-breakpoint
CREATE TABLE `saved_snippets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`date_created` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `saved_snippets_user` ON `saved_snippets` (`user_id`);--> statement-breakpoint
CREATE TABLE `scheduled_messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`sender_id` integer NOT NULL,
	`channel_id` integer,
	`to` text NOT NULL,
	`topic` text NOT NULL,
	`content` text NOT NULL,
	`rendered_content` text NOT NULL,
	`deliver_at` integer NOT NULL,
	`read_by_sender` integer NOT NULL,
	`client` text NOT NULL,
	`failed` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `scheduled_messages_sender` ON `scheduled_messages` (`sender_id`,`deliver_at`);--> statement-breakpoint
CREATE INDEX `scheduled_messages_due` ON `scheduled_messages` (`deliver_at`) WHERE NOT failed;--> statement-breakpoint
CREATE TABLE `alert_words` (
	`user_id` integer NOT NULL,
	`word` text NOT NULL,
	`word_key` text NOT NULL,
	PRIMARY KEY(`user_id`, `word_key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `muted_users` (
	`user_id` integer NOT NULL,
	`muted_id` integer NOT NULL,
	`muted_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `muted_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `navigation_views` (
	`user_id` integer NOT NULL,
	`fragment` text NOT NULL,
	`is_pinned` integer NOT NULL,
	`name` text,
	PRIMARY KEY(`user_id`, `fragment`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `onboarding_steps` (
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`user_id`, `name`)
);
--> statement-breakpoint
CREATE TABLE `presence` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`active_at` integer,
	`idle_at` integer,
	`update_id` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `presence_update` ON `presence` (`update_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`csrf_token` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer DEFAULT 0 NOT NULL,
	`device` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE TABLE `user_settings` (
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`user_id`, `name`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `user_settings_notified` ON `user_settings` (`user_id`) WHERE name IN ('enable_stream_push_notifications', 'enable_stream_email_notifications') AND value = 'true';--> statement-breakpoint
CREATE TABLE `user_statuses` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`status_text` text NOT NULL,
	`emoji_name` text,
	`emoji_code` text,
	`reaction_type` text
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`api_email` text NOT NULL,
	`api_email_key` text NOT NULL,
	`full_name` text NOT NULL,
	`role` integer NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	`bot_type` integer,
	`bot_owner_id` integer,
	`is_system_bot` integer DEFAULT false NOT NULL,
	`timezone` text DEFAULT '' NOT NULL,
	`date_joined` integer NOT NULL,
	`password_hash` text,
	`api_key` text NOT NULL,
	`avatar_source` text DEFAULT 'G' NOT NULL,
	`avatar_version` integer DEFAULT 1 NOT NULL,
	`avatar_hash` text,
	`medium_avatar_hash` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_api_email` ON `users` (`api_email_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_api_key` ON `users` (`api_key`);--> statement-breakpoint
CREATE INDEX `users_inactive` ON `users` (`id`) WHERE NOT is_active;--> statement-breakpoint
CREATE INDEX `users_joined` ON `users` (`date_joined`);--> statement-breakpoint
CREATE INDEX `users_bots` ON `users` (`id`) WHERE bot_type IS NOT NULL;--> statement-breakpoint
CREATE INDEX `users_full_name` ON `users` (full_name COLLATE NOCASE);--> statement-breakpoint
CREATE INDEX `users_avatar` ON `users` (`avatar_hash`) WHERE avatar_hash IS NOT NULL;--> statement-breakpoint
CREATE INDEX `users_medium_avatar` ON `users` (`medium_avatar_hash`) WHERE medium_avatar_hash IS NOT NULL;--> statement-breakpoint
-- The index is contentless: words are looked up here, the text stays in `messages`.
-- New messages come in for a whole group of writes at once (`indexMessages`), because FTS5 writes a segment per
-- statement. `search_text` prepares texts of every script (platform/store/search-text.ts).
CREATE VIRTUAL TABLE messages_fts USING fts5(
	content,
	topic,
	content = '',
	contentless_delete = 1,
	tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"
);
--> statement-breakpoint
CREATE TRIGGER messages_fts_update AFTER UPDATE OF content, topic ON messages BEGIN
	UPDATE messages_fts SET content = search_text(new.content), topic = search_text(new.topic)
	WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER messages_fts_delete AFTER DELETE ON messages BEGIN
	DELETE FROM messages_fts WHERE rowid = old.id;
END;
