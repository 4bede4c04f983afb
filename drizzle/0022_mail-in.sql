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
CREATE TABLE `reply_addresses` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `reply_addresses_user` ON `reply_addresses` (`user_id`);--> statement-breakpoint
CREATE INDEX `reply_addresses_created` ON `reply_addresses` (`created_at`);