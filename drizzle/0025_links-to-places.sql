-- Links to channels, topics and messages count as links as well.
UPDATE `messages` SET `has_link` = 1 WHERE NOT `has_link` AND (
	`rendered_content` LIKE '%<a class="stream%' OR `rendered_content` LIKE '%<a class="message-link"%'
);
