CREATE TABLE `imports` (
	`id` integer PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`imported_at` integer NOT NULL,
	`keeps_ids` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE `old_links` (
	`link` text PRIMARY KEY NOT NULL,
	`message_id` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `users` ADD `awaits_first_login` integer DEFAULT false NOT NULL;