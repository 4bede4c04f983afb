CREATE TABLE `sent_scheduled_messages` (
	`id` integer PRIMARY KEY NOT NULL,
	`sender_id` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sent_scheduled_messages_sender` ON `sent_scheduled_messages` (`sender_id`,`id`);