CREATE TABLE `onboarding_steps` (
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`user_id`, `name`)
);
