-- Dead letters of purchases that were assessed after all.
-- Grain: one row per dead letter. $1 keys, $2 the run's now
update subledger.dead_letters set resolved_at = $2::timestamptz
where subscription_key = any ($1::bigint[]) and stage = 'intake' and resolved_at is null
