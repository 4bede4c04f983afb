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
DROP TABLE `saved_queues`;