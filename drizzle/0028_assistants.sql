CREATE TABLE `assistant_clients` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`redirect_uris` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`is_used` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `assistant_clients_expiry` ON `assistant_clients` (`expires_at`);--> statement-breakpoint
CREATE INDEX `assistant_clients_unused` ON `assistant_clients` (`created_at`) WHERE is_used = 0;--> statement-breakpoint
CREATE TABLE `assistant_codes` (
	`code_hash` text PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`user_id` integer NOT NULL,
	`redirect_uri` text NOT NULL,
	`challenge` text NOT NULL,
	`resource` text NOT NULL,
	`may_write` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`connection_id` integer
);
--> statement-breakpoint
CREATE INDEX `assistant_codes_user` ON `assistant_codes` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `assistant_codes_created` ON `assistant_codes` (`created_at`);--> statement-breakpoint
CREATE TABLE `assistant_connections` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`client_id` text NOT NULL,
	`name` text NOT NULL,
	`resource` text NOT NULL,
	`may_write` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`access_hash` text NOT NULL,
	`access_expires_at` integer NOT NULL,
	`family_hash` text NOT NULL,
	`refresh_hash` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `assistant_connections_access` ON `assistant_connections` (`access_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `assistant_connections_family` ON `assistant_connections` (`family_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `assistant_connections_user` ON `assistant_connections` (`user_id`,`client_id`);--> statement-breakpoint
CREATE INDEX `assistant_connections_client` ON `assistant_connections` (`client_id`);--> statement-breakpoint
CREATE INDEX `assistant_connections_expiry` ON `assistant_connections` (`expires_at`);