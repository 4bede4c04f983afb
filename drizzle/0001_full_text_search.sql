-- Contentless: the words are looked up here, the text stays in `messages`. New messages come in for
-- a whole group of writes at once (`indexMessages`), because FTS5 writes a segment per statement.
CREATE VIRTUAL TABLE messages_fts USING fts5(
	content,
	topic,
	content = '',
	contentless_delete = 1,
	tokenize = 'porter unicode61 remove_diacritics 2'
);
--> statement-breakpoint
CREATE TRIGGER messages_fts_update AFTER UPDATE OF content, topic ON messages BEGIN
	UPDATE messages_fts SET content = new.content, topic = new.topic WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER messages_fts_delete AFTER DELETE ON messages BEGIN
	DELETE FROM messages_fts WHERE rowid = old.id;
END;
