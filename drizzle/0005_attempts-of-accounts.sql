PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_login_attempts` (
	`key_hash` text PRIMARY KEY NOT NULL,
	`browser_hash` text,
	`user_id` integer NOT NULL,
	`details` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_login_attempts`("key_hash", "browser_hash", "user_id", "details", "expires_at") SELECT "key_hash", "browser_hash", "user_id", "details", "expires_at" FROM `login_attempts` WHERE `user_id` IS NOT NULL;--> statement-breakpoint
DROP TABLE `login_attempts`;--> statement-breakpoint
ALTER TABLE `__new_login_attempts` RENAME TO `login_attempts`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `login_attempts_expiry` ON `login_attempts` (`expires_at`);--> statement-breakpoint
CREATE INDEX `login_attempts_user` ON `login_attempts` (`user_id`,`expires_at`);