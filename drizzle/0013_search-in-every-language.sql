-- `search_text` prepares texts for every script (platform/store/search-text.ts). The index begins anew,
-- empty: the next start fills it, step by step (program/search-index.ts).
DROP TRIGGER messages_fts_update;
--> statement-breakpoint
DROP TABLE messages_fts;
--> statement-breakpoint
CREATE VIRTUAL TABLE messages_fts USING fts5(
	content,
	topic,
	content = '',
	contentless_delete = 1,
	tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"
);
--> statement-breakpoint
CREATE TRIGGER messages_fts_update AFTER UPDATE OF content, topic ON messages BEGIN
	UPDATE messages_fts SET content = search_text(new.content), topic = search_text(new.topic)
	WHERE rowid = new.id;
END;
