ALTER TABLE `realm_exports` ADD `format` text DEFAULT 'parley' NOT NULL;--> statement-breakpoint
ALTER TABLE `realm_exports` ADD `zulip_release` integer;--> statement-breakpoint
ALTER TABLE `realm_exports` ADD `notes` text;