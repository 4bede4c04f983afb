CREATE TABLE `message_edits` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`message_id` integer NOT NULL,
	`user_id` integer,
	`edited_at` integer NOT NULL,
	`prev_topic` text,
	`topic` text,
	`prev_channel_id` integer,
	`channel_id` integer,
	`prev_content` text,
	`prev_rendered_content` text
);
--> statement-breakpoint
INSERT INTO `message_edits` (`message_id`, `user_id`, `edited_at`, `prev_topic`, `topic`,
	`prev_channel_id`, `channel_id`, `prev_content`, `prev_rendered_content`)
SELECT `m`.`id`, `edit`.`value` ->> 'user_id', `edit`.`value` ->> 'timestamp',
	`edit`.`value` ->> 'prev_topic', `edit`.`value` ->> 'topic',
	`edit`.`value` ->> 'prev_stream', `edit`.`value` ->> 'stream',
	`edit`.`value` ->> 'prev_content', `edit`.`value` ->> 'prev_rendered_content'
FROM `messages` AS `m`, json_each(`m`.`edit_history`) AS `edit`
ORDER BY `m`.`id`, `edit`.`key` DESC;
--> statement-breakpoint
CREATE INDEX `message_edits_message` ON `message_edits` (`message_id`,`id`);--> statement-breakpoint
CREATE INDEX `message_edits_content` ON `message_edits` (`message_id`,`id`) WHERE prev_content IS NOT NULL;--> statement-breakpoint
CREATE INDEX `message_edits_move` ON `message_edits` (`message_id`,`id`) WHERE prev_content IS NULL;--> statement-breakpoint
CREATE INDEX `message_edits_channel` ON `message_edits` (`message_id`,`prev_channel_id`) WHERE prev_channel_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `messages` DROP COLUMN `edit_history`;