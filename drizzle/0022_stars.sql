DROP INDEX `message_edits_channel`;--> statement-breakpoint
CREATE INDEX `message_flags_starred` ON `message_flags` (`user_id`,`message_id`) WHERE flags & 1;