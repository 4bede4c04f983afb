CREATE TABLE `notification_parts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`message_id` integer NOT NULL,
	`is_edit` integer NOT NULL,
	`user_ids` text NOT NULL,
	`created_at` integer NOT NULL
);
