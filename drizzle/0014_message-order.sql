CREATE TABLE `message_order` (
	`id` integer PRIMARY KEY NOT NULL,
	`max_disorder` integer NOT NULL
);

--> statement-breakpoint
INSERT INTO `message_order` SELECT 1, coalesce(max(`newest` - `sent_at`), 0)
	FROM (SELECT `sent_at`, max(`sent_at`) OVER (ORDER BY `id`) AS `newest` FROM `messages`);
