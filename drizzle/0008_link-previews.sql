CREATE TABLE `webhook_attempts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`bot_id` integer NOT NULL,
	`at` integer NOT NULL,
	`message_id` integer,
	`what` text NOT NULL,
	`status` integer,
	`answer` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_attempts_bot` ON `webhook_attempts` (`bot_id`,`id`);--> statement-breakpoint
CREATE TABLE `hidden_previews` (
	`message_id` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `link_pages` (
	`url` text PRIMARY KEY NOT NULL,
	`fetched_at` integer,
	`asked_by` integer,
	`title` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`picture` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `link_pages_asked` ON `link_pages` (`asked_by`) WHERE asked_by IS NOT NULL;--> statement-breakpoint
CREATE INDEX `link_pages_fetched` ON `link_pages` (`fetched_at`);--> statement-breakpoint
CREATE TABLE `page_waits` (
	`message_id` integer NOT NULL,
	`url` text NOT NULL,
	PRIMARY KEY(`message_id`, `url`)
);
--> statement-breakpoint
CREATE INDEX `page_waits_url` ON `page_waits` (`url`);