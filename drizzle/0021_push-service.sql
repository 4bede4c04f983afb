CREATE TABLE `push_service` (
	`id` integer PRIMARY KEY NOT NULL,
	`owner_secret` text NOT NULL,
	`upload_due_at` integer NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`uploaded_at` integer,
	`counts` text,
	`problem` text
);
--> statement-breakpoint
ALTER TABLE `push_tokens` ADD `service_due_at` integer;--> statement-breakpoint
ALTER TABLE `push_tokens` ADD `failures` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `push_tokens` ADD `is_removed` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `push_tokens_due` ON `push_tokens` (`service_due_at`) WHERE service_due_at IS NOT NULL;--> statement-breakpoint
UPDATE `push_tokens` SET `service_due_at` = `registered_at`;
