-- From before others were told of a last time: who hid their presence was as good as never there.
DELETE FROM `presence` WHERE `user_id` IN (
	SELECT `user_id` FROM `user_settings` WHERE `name` = 'presence_enabled' AND `value` = 'false'
);
