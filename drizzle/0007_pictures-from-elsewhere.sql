-- Messages from before pictures came through the server would tell other sites who reads them.
INSERT OR IGNORE INTO `placeholder_messages` (`message_id`) SELECT `id` FROM `messages`
WHERE `rendered_content` LIKE '%<img src="http%' OR `rendered_content` LIKE '%<video preload="metadata" src="http%';
--> statement-breakpoint
UPDATE `messages` SET `rendered_content` = replace(replace(`rendered_content`,
	'<img src="http', '<img data-original-src="http'), '<video preload="metadata" src="http', '<video data-original-src="http')
WHERE `id` IN (SELECT `message_id` FROM `placeholder_messages`);
--> statement-breakpoint
UPDATE `message_edits` SET `prev_rendered_content` = replace(replace(`prev_rendered_content`,
	'<img src="http', '<img data-original-src="http'), '<video preload="metadata" src="http', '<video data-original-src="http')
WHERE `prev_rendered_content` LIKE '%src="http%';
--> statement-breakpoint
UPDATE `scheduled_messages` SET `rendered_content` = replace(replace(`rendered_content`,
	'<img src="http', '<img data-original-src="http'), '<video preload="metadata" src="http', '<video data-original-src="http')
WHERE `rendered_content` LIKE '%src="http%';
--> statement-breakpoint
UPDATE `reminders` SET `rendered_content` = replace(replace(`rendered_content`,
	'<img src="http', '<img data-original-src="http'), '<video preload="metadata" src="http', '<video data-original-src="http')
WHERE `rendered_content` LIKE '%src="http%';
