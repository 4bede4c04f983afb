DROP INDEX `users_full_name`;--> statement-breakpoint
ALTER TABLE `users` ADD `name_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `users` SET `name_key` = name_key(`full_name`);--> statement-breakpoint
CREATE INDEX `users_name` ON `users` (`name_key`);--> statement-breakpoint
-- Names that are the same only by the new key keep the one that they have.
UPDATE OR IGNORE `channels` SET `name_key` = name_key(`name`) WHERE name_key(`name`) <> '';--> statement-breakpoint
UPDATE OR IGNORE `user_groups` SET `name_key` = name_key(`name`) WHERE `name` IS NOT NULL AND name_key(`name`) <> '';--> statement-breakpoint
-- By the index, which has each topic many times: the function runs once for each.
UPDATE `messages` SET `topic_key` = tidy_name(`topic_key`) WHERE (`recipient_id`, `topic_key`) IN (
	SELECT `recipient_id`, `topic_key` FROM (SELECT DISTINCT `recipient_id`, `topic_key` FROM `messages`)
	WHERE tidy_name(`topic_key`) <> `topic_key`
);--> statement-breakpoint
UPDATE OR IGNORE `user_topics` SET `topic_key` = tidy_name(`topic_key`);--> statement-breakpoint
DELETE FROM `user_topics` WHERE tidy_name(`topic_key`) <> `topic_key`;
