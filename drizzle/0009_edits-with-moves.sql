DROP INDEX `message_edits_move`;--> statement-breakpoint
CREATE INDEX `message_edits_move` ON `message_edits` (`message_id`,`id`) WHERE (prev_topic IS NOT NULL OR prev_channel_id IS NOT NULL);