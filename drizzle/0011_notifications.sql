CREATE TABLE `notifications` (
	`user_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`push_trigger` text,
	`email_trigger` text,
	`group_id` integer,
	`created_at` integer NOT NULL,
	`email_due_at` integer,
	PRIMARY KEY(`user_id`, `message_id`)
);
--> statement-breakpoint
CREATE INDEX `notifications_due` ON `notifications` (`email_due_at`) WHERE email_due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `notifications_pending` ON `notifications` (`user_id`) WHERE email_due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `notifications_created` ON `notifications` (`created_at`);--> statement-breakpoint
CREATE INDEX `subscriptions_notified` ON `subscriptions` (`channel_id`,`user_id`) WHERE is_active AND (push_notifications OR email_notifications);--> statement-breakpoint
CREATE INDEX `user_topics_followed` ON `user_topics` (`channel_id`,`topic_key`,`user_id`) WHERE policy = 3;--> statement-breakpoint
CREATE INDEX `user_settings_notified` ON `user_settings` (`user_id`) WHERE name IN ('enable_stream_push_notifications', 'enable_stream_email_notifications') AND value = 'true';