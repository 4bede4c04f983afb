ALTER TABLE `bot_options` ADD `awaits_owner` integer DEFAULT false NOT NULL;
--> statement-breakpoint
UPDATE `users` SET `role` = (SELECT `owner`.`role` FROM `users` AS `owner` WHERE `owner`.`id` = `users`.`bot_owner_id`)
WHERE `role` < (SELECT `owner`.`role` FROM `users` AS `owner` WHERE `owner`.`id` = `users`.`bot_owner_id`);
