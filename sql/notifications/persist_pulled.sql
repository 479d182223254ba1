-- Notifications that were fetched from the store and not known yet, with what became of them.
-- Grain: one row per notification. $1 app, $2 sources, $3 payloads, $4 states, $5 dedupe keys, $6 types, $7 reasons,
-- $8 the run's now, $9 run
insert into subledger.notification_inbox (
    app_id, source, payload, received_at, state, dedupe_key, notification_type, reason, handled_at, handled_run_id,
    is_pulled
)
select
    $1::text, fetched.source, fetched.payload, $8::timestamptz, fetched.state, fetched.dedupe_key,
    fetched.notification_type, fetched.reason, $8::timestamptz, $9::bigint, true
from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) with ordinality
    as fetched (source, payload, state, dedupe_key, notification_type, reason, place)
order by fetched.place
