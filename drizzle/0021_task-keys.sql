-- Keys of tasks as all clients know them, `<index>,canned` and `<index>,<user id>`: those that were written the other way
-- round. Of two numbers, only if there is a task with the key when turned, and none with it as it is.
UPDATE `submessages` SET `content` = json_set(`content`, '$.key', turned.`key`) FROM (
	WITH steps AS (
		SELECT `id`, `message_id`, `sender_id`, `content` ->> '$.type' AS type, `content` ->> '$.key' AS "key" FROM `submessages`
		WHERE CASE WHEN json_valid(`content`) THEN `content` ->> '$.type' IN ('strike', 'new_task') END
	), strikes AS (
		SELECT `id`, `message_id`, substr("key", 1, instr("key", ',') - 1) AS first, substr("key", instr("key", ',') + 1) AS second
		FROM steps WHERE type = 'strike' AND instr("key", ',') > 0
	), tasks AS (SELECT DISTINCT `message_id`, "key" || ',' || `sender_id` AS "key" FROM steps WHERE type = 'new_task')
	SELECT `id`, second || ',' || first AS "key" FROM strikes WHERE first = 'canned' OR (
		EXISTS (SELECT 1 FROM tasks WHERE tasks.`message_id` = strikes.`message_id` AND tasks."key" = second || ',' || first)
		AND NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.`message_id` = strikes.`message_id` AND tasks."key" = first || ',' || second)
	)
) AS turned WHERE `submessages`.`id` = turned.`id`;
