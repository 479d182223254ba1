-- What became of notifications of the inbox, and what is kept of their texts where not all of it may be.
-- Grain: one row per notification. $1 numbers, $2 states, $3 dedupe keys, $4 types, $5 reasons, $6 payloads (NULL: as
-- received), $7 the run's now, $8 run
update subledger.notification_inbox as stored set
    state = settled.state,
    dedupe_key = settled.dedupe_key,
    notification_type = settled.notification_type,
    reason = settled.reason,
    payload = coalesce(settled.payload, stored.payload),
    received_bytes = case when settled.payload is not null then octet_length(stored.payload) end,
    handled_at = $7::timestamptz,
    handled_run_id = $8::bigint
from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
    as settled (notification_id, state, dedupe_key, notification_type, reason, payload)
where stored.notification_id = settled.notification_id and stored.state = 'pending'
