-- A receipt handed in without an id stood as a placeholder; its subscriptions are known now.
-- Grain: one row per placeholder. $1 keys
delete from subledger.subscriptions
where subscription_key = any ($1::bigint[]) and last_checked_at is null and store_key like 'receipt-%'
