-- Subscriptions that a notification is about are due at once, closed ones too.
-- Grain: one row per subscription that we know. $1 app, $2 keys
update subledger.subscriptions set next_check_at = '-infinity', next_check_reason = 'notified'
where subscription_key = any ($2::bigint[]) and app_id = $1::text
returning subscription_key
