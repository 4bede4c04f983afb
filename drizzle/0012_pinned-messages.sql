CREATE TABLE `pinned_messages` (
	`message_id` integer PRIMARY KEY NOT NULL,
	`recipient_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`pinned_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `pinned_messages_place` ON `pinned_messages` (`recipient_id`,`pinned_at`);