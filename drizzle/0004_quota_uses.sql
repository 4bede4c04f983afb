CREATE TABLE `quota_uses` (
	`quota` text NOT NULL,
	`subject` text NOT NULL,
	`expires_at` integer NOT NULL,
	`amount` integer NOT NULL,
	PRIMARY KEY(`quota`, `subject`, `expires_at`)
);
--> statement-breakpoint
CREATE INDEX `quota_uses_expiry` ON `quota_uses` (`expires_at`);--> statement-breakpoint
DROP INDEX `invitations_created`;