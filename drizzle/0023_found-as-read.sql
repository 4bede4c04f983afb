CREATE TABLE `search_updates` (
	`until_id` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
-- `search_text` adds what people read, where that differs from the source. The messages that are there are looked through by a
-- job, so that no start waits for it.
DROP TRIGGER messages_fts_update;
--> statement-breakpoint
CREATE TRIGGER messages_fts_update AFTER UPDATE OF content, topic ON messages BEGIN
	UPDATE messages_fts SET content = search_text(new.content, new.rendered_content), topic = search_text(new.topic)
	WHERE rowid = new.id;
END;
--> statement-breakpoint
INSERT INTO `search_updates` SELECT max(id) FROM messages_fts_docsize HAVING max(id) IS NOT NULL;
