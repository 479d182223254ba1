-- A subscription that this run registered was registered at its now.
-- Grain: one row per subscription. $1 keys, $2 the run's now
update subledger.subscriptions set registered_at = $2::timestamptz
where subscription_key = any ($1::bigint[])
