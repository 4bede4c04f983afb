CREATE TABLE `message_paths` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`first_channel_id` integer,
	`channel_id` integer NOT NULL,
	`arrivals` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `message_paths_channel` ON `message_paths` (`channel_id`);--> statement-breakpoint
CREATE TABLE `moved_messages` (
	`message_id` integer PRIMARY KEY NOT NULL,
	`path_id` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `moved_messages_path` ON `moved_messages` (`path_id`);--> statement-breakpoint
-- By hand: what was moved before, as far as the edit history tells. The moment of a move is the newest
-- message that was sent until then, or the next one if nobody was subscribed then: channels are often
-- made for what is then moved there. How open a channel was is not known, so it counts as it is now.
CREATE TABLE `moved_before` AS
WITH `moves` AS (
	SELECT `id`, `message_id`, `prev_channel_id`, `channel_id`, `edited_at`
	FROM `message_edits` WHERE `prev_channel_id` IS NOT NULL AND `channel_id` IS NOT NULL
), `moments` AS (
	SELECT `moved_at`, `at` FROM (
		SELECT `moved_at`, max(`id`) OVER (ORDER BY `time`, `moved_at` NULLS FIRST) AS `at` FROM (
			SELECT `sent_at` AS `time`, `id`, NULL AS `moved_at` FROM `messages`
			WHERE EXISTS (SELECT 1 FROM `moves`)
			UNION ALL
			SELECT `edited_at`, NULL, `edited_at` FROM (SELECT DISTINCT `edited_at` FROM `moves`)
		)
	) WHERE `moved_at` IS NOT NULL
), `arrivals` AS (
	SELECT e.`id`, e.`message_id`, e.`prev_channel_id`, e.`channel_id`,
		CASE WHEN EXISTS (
			SELECT 1 FROM `subscription_spans` s WHERE s.`channel_id` = c.`id`
				AND s.`from_message` <= m.`at` AND (s.`until_message` IS NULL OR s.`until_message` > m.`at`)
		) THEN m.`at` ELSE m.`at` + 1 END AS `at`,
		CASE WHEN c.`is_web_public` THEN 2 WHEN c.`is_private` THEN 0 ELSE 1 END AS `openness`
	FROM `moves` e JOIN `moments` m ON m.`moved_at` = e.`edited_at` JOIN `channels` c ON c.`id` = e.`channel_id`
)
SELECT a.`message_id`,
	(SELECT f.`prev_channel_id` FROM `arrivals` f
		WHERE f.`message_id` = a.`message_id` ORDER BY f.`id` LIMIT 1) AS `first_channel_id`,
	r.`channel_id`,
	json_group_array(json_array(a.`channel_id`, a.`at`, a.`openness`) ORDER BY a.`id`) AS `arrivals`
FROM `arrivals` a
JOIN `messages` m ON m.`id` = a.`message_id`
JOIN `recipients` r ON r.`id` = m.`recipient_id` AND r.`channel_id` IS NOT NULL
GROUP BY a.`message_id`
HAVING max(a.`id`) = max(CASE WHEN a.`channel_id` = r.`channel_id` THEN a.`id` END);--> statement-breakpoint
INSERT INTO `message_paths` (`first_channel_id`, `channel_id`, `arrivals`)
	SELECT DISTINCT `first_channel_id`, `channel_id`, `arrivals` FROM `moved_before`;--> statement-breakpoint
INSERT INTO `moved_messages` (`message_id`, `path_id`)
	SELECT b.`message_id`, p.`id` FROM `moved_before` b JOIN `message_paths` p
		ON p.`channel_id` = b.`channel_id` AND p.`first_channel_id` = b.`first_channel_id`
			AND p.`arrivals` = b.`arrivals`;--> statement-breakpoint
DROP TABLE `moved_before`;
