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
CREATE TABLE `bot_options` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`sending_channel_id` integer,
	`events_channel_id` integer,
	`all_public_channels` integer DEFAULT false NOT NULL,
	`integration` text,
	`config` text NOT NULL
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
CREATE TABLE `emoji_pictures` (
	`file_name` text PRIMARY KEY NOT NULL,
	`file_hash` text NOT NULL,
	`content_type` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `emoji_pictures_file` ON `emoji_pictures` (`file_hash`);--> statement-breakpoint
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
CREATE INDEX `invitations_created` ON `invitations` (`created_at`);--> statement-breakpoint
CREATE TABLE `loose_files` (
	`hash` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `loose_files_since` ON `loose_files` (`since`);--> statement-breakpoint
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
	`failures` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `outgoing_mail_due` ON `outgoing_mail` (`due_at`);--> statement-breakpoint
CREATE TABLE `placeholder_messages` (
	`message_id` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `playgrounds` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`language` text NOT NULL,
	`url_template` text NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE `push_tokens` (
	`kind` text NOT NULL,
	`token` text NOT NULL,
	`user_id` integer NOT NULL,
	`app_id` text,
	`registered_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `kind`, `token`)
) WITHOUT ROWID;
--> statement-breakpoint
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
CREATE TABLE `realm_pictures` (
	`kind` text PRIMARY KEY NOT NULL,
	`file_hash` text,
	`version` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `realm_pictures_file` ON `realm_pictures` (`file_hash`);--> statement-breakpoint
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
CREATE TABLE `submessages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`message_id` integer NOT NULL,
	`sender_id` integer NOT NULL,
	`msg_type` text NOT NULL,
	`content` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `submessages_message` ON `submessages` (`message_id`);--> statement-breakpoint
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
ALTER TABLE `realm` ADD `deactivated_at` integer;--> statement-breakpoint
ALTER TABLE `realm` ADD `deletion_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `avatar_hash` text;--> statement-breakpoint
ALTER TABLE `users` ADD `medium_avatar_hash` text;--> statement-breakpoint
CREATE INDEX `users_joined` ON `users` (`date_joined`);--> statement-breakpoint
CREATE INDEX `users_bots` ON `users` (`id`) WHERE bot_type IS NOT NULL;--> statement-breakpoint
CREATE INDEX `users_avatar` ON `users` (`avatar_hash`) WHERE avatar_hash IS NOT NULL;--> statement-breakpoint
CREATE INDEX `users_medium_avatar` ON `users` (`medium_avatar_hash`) WHERE medium_avatar_hash IS NOT NULL;--> statement-breakpoint
CREATE INDEX `channels_retention` ON `channels` (`id`) WHERE retention_days > 0;--> statement-breakpoint
ALTER TABLE `realm_emoji` DROP COLUMN `image`;--> statement-breakpoint
ALTER TABLE `realm_emoji` DROP COLUMN `content_type`;