CREATE TABLE `quiet_times` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`paused_until` integer,
	`schedule` text
);
--> statement-breakpoint
ALTER TABLE `user_statuses` ADD `ends_at` integer;--> statement-breakpoint
CREATE INDEX `user_statuses_ending` ON `user_statuses` (`ends_at`) WHERE ends_at IS NOT NULL;