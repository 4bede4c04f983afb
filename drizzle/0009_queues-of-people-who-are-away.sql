ALTER TABLE `event_queues` ADD `stretches` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `queued_events` ADD `newest_message` integer DEFAULT 0 NOT NULL;