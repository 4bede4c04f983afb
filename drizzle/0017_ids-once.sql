-- Three seconds for a million messages, once.
DROP INDEX `messages_topic`;--> statement-breakpoint
DROP INDEX `messages_sender`;--> statement-breakpoint
CREATE INDEX `messages_topic` ON `messages` (`recipient_id`,`topic_key`);--> statement-breakpoint
CREATE INDEX `messages_sender` ON `messages` (`recipient_id`,`sender_id`);