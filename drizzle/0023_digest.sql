CREATE TABLE `digest_runs` (
	`started_at` integer PRIMARY KEY NOT NULL,
	`after_user_id` integer NOT NULL,
	`is_done` integer NOT NULL
);
