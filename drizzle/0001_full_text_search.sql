-- Contentless: the words are looked up here, the text stays in `messages`.
CREATE VIRTUAL TABLE messages_fts USING fts5(
	content,
	topic,
	content = '',
	contentless_delete = 1,
	tokenize = 'porter unicode61 remove_diacritics 2'
);
--> statement-breakpoint
CREATE TRIGGER messages_fts_insert AFTER INSERT ON messages BEGIN
	INSERT INTO messages_fts (rowid, content, topic) VALUES (new.id, new.content, new.topic);
END;
--> statement-breakpoint
CREATE TRIGGER messages_fts_update AFTER UPDATE OF content, topic ON messages BEGIN
	UPDATE messages_fts SET content = new.content, topic = new.topic WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER messages_fts_delete AFTER DELETE ON messages BEGIN
	DELETE FROM messages_fts WHERE rowid = old.id;
END;
