CREATE TABLE `pushes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`subscription_id` integer,
	`message_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer,
	`sent_at` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`subscription_id`) REFERENCES `web_push_subscriptions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `pushes_due` ON `pushes` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `pushes_message` ON `pushes` (`message_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `pushes_target` ON `pushes` (`user_id`,`subscription_id`,`id`);--> statement-breakpoint
CREATE INDEX `pushes_subscription` ON `pushes` (`subscription_id`);--> statement-breakpoint
CREATE INDEX `pushes_created` ON `pushes` (`created_at`);--> statement-breakpoint
CREATE TABLE `web_push_key` (
	`id` integer PRIMARY KEY NOT NULL,
	`private_key` text NOT NULL,
	`public_key` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `web_push_subscriptions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`session_id` text,
	`endpoint` text NOT NULL,
	`p256dh` text NOT NULL,
	`auth` text NOT NULL,
	`urgency` text NOT NULL,
	`device` text NOT NULL,
	`created_at` integer NOT NULL,
	`succeeded_at` integer,
	`paused_until` integer,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`token_hash`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `web_push_subscriptions_endpoint` ON `web_push_subscriptions` (`endpoint`);--> statement-breakpoint
CREATE INDEX `web_push_subscriptions_user` ON `web_push_subscriptions` (`user_id`);--> statement-breakpoint
CREATE INDEX `web_push_subscriptions_session` ON `web_push_subscriptions` (`session_id`);