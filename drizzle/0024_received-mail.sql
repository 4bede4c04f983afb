CREATE TABLE `received_mail` (
	`key` text PRIMARY KEY NOT NULL,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `received_mail_time` ON `received_mail` (`received_at`);