-- What became of notifications of the inbox.
-- Grain: one row per notification. $1 numbers, $2 states, $3 dedupe keys, $4 types, $5 reasons, $6 the run's now, $7 run
update subledger.notification_inbox as held set
    state = settled.state,
    dedupe_key = settled.dedupe_key,
    notification_type = settled.notification_type,
    reason = settled.reason,
    handled_at = $6::timestamptz,
    handled_run_id = $7::bigint
from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[])
    as settled (notification_id, state, dedupe_key, notification_type, reason)
where held.notification_id = settled.notification_id and held.state = 'pending'
