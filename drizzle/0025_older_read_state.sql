CREATE TABLE `older_read_state` (
	`user_id` integer NOT NULL,
	`recipient_id` integer NOT NULL,
	`ranges` blob NOT NULL,
	PRIMARY KEY(`user_id`, `recipient_id`)
);
