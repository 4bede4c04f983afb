CREATE TABLE `alert_words` (
	`user_id` integer NOT NULL,
	`word` text NOT NULL,
	`word_key` text NOT NULL,
	`first_word` text NOT NULL,
	PRIMARY KEY(`user_id`, `word_key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `bot_services` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`base_url` text NOT NULL,
	`interface` integer NOT NULL,
	`token` text NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE `direct_members` (
	`user_id` integer NOT NULL,
	`recipient_id` integer NOT NULL,
	PRIMARY KEY(`user_id`, `recipient_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `direct_members_recipient` ON `direct_members` (`recipient_id`,`user_id`);--> statement-breakpoint
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
	`last_moved_at` integer,
	`edit_history` text
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
CREATE TABLE `presence` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`active_at` integer,
	`idle_at` integer,
	`update_id` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `presence_update` ON `presence` (`update_id`);--> statement-breakpoint
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
CREATE TABLE `realm` (
	`id` integer PRIMARY KEY NOT NULL,
	`uuid` text NOT NULL,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`date_created` integer NOT NULL,
	`secret` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `realm_domains` (
	`domain` text PRIMARY KEY NOT NULL,
	`allow_subdomains` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE `realm_emoji` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`author_id` integer,
	`file_name` text NOT NULL,
	`still_file_name` text,
	`image` blob NOT NULL,
	`content_type` text NOT NULL,
	`deactivated` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `realm_emoji_name` ON `realm_emoji` (`name`);--> statement-breakpoint
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
CREATE TABLE `recipients` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`channel_id` integer,
	`direct_key` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `recipients_direct` ON `recipients` (`direct_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `recipients_channel` ON `recipients` (`channel_id`);--> statement-breakpoint
CREATE TABLE `saved_queues` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`state` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `saved_snippets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`date_created` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `saved_snippets_user` ON `saved_snippets` (`user_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`csrf_token` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
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
CREATE TABLE `user_settings` (
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`user_id`, `name`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `user_statuses` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`status_text` text NOT NULL,
	`emoji_name` text,
	`emoji_code` text,
	`reaction_type` text
);
--> statement-breakpoint
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
	`avatar_version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_api_email` ON `users` (`api_email_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_api_key` ON `users` (`api_key`);--> statement-breakpoint
CREATE INDEX `users_inactive` ON `users` (`id`) WHERE NOT is_active;--> statement-breakpoint
CREATE INDEX `users_full_name` ON `users` (full_name COLLATE NOCASE);