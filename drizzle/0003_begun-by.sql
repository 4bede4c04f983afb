ALTER TABLE `second_factors` ADD `begun_by` text;--> statement-breakpoint
-- Log-ins that wait for an enrolment hold its secret from now on.
DELETE FROM `login_attempts`;
