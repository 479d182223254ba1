-- Looks at one-time sales that failed: counted, explained and made again. One that the store does not know any more, and whose last
-- look this was, leaves the list.
-- Grain: one row per sale. $1 keys, $2 failing nights, $3 messages, $4 next looks (microseconds since 1970; NULL: none), $5 run,
-- $6 the run's now
with failed as (
    select
        given.key, given.failures, given.message,
        timestamptz 'epoch' + given.next_look::bigint * interval '1 microsecond' as next_look_at
    from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) as given (key, failures, message, next_look)
),

over as (
    delete from subledger.watched_sales stored
    using failed
    where stored.subscription_key = failed.key and failed.next_look_at is null
)

update subledger.watched_sales stored set
    failures = failed.failures::integer,
    last_failed_at = case when failed.failures > 0 then $6::timestamptz end,
    last_error = case when failed.failures > 0 then failed.message end,
    next_look_at = failed.next_look_at,
    last_run_id = $5::bigint
from failed
where stored.subscription_key = failed.key and failed.next_look_at is not null
