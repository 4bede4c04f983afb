-- `search_text` cuts long words. The messages that are there are looked through by a job, so that no start waits for it.
DELETE FROM `search_updates`;
--> statement-breakpoint
INSERT INTO `search_updates` SELECT max(id) FROM messages_fts_docsize HAVING max(id) IS NOT NULL;
