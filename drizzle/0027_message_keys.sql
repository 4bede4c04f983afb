CREATE TABLE `message_keys` (
	`user_id` integer NOT NULL,
	`key` text NOT NULL,
	`message_id` integer NOT NULL,
	`sent_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `message_keys_sent` ON `message_keys` (`sent_at`);