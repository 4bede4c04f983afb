-- The column becomes nullable by hand: without copying the table.
CREATE TABLE `clients` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `clients_name` ON `clients` (`name`);--> statement-breakpoint
ALTER TABLE `messages` ALTER COLUMN `client` DROP NOT NULL;--> statement-breakpoint
ALTER TABLE `messages` ADD `client_id` integer;
