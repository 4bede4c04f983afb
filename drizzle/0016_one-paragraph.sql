-- By hand: without copying the table.
ALTER TABLE `messages` ALTER COLUMN `rendered_content` DROP NOT NULL;
