CREATE TABLE `zoom_tokens` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL
);
