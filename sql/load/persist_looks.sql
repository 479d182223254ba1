-- When one-time sales that an answer reports are looked at next. One that is looked at no more leaves the list. A dead letter about
-- a look whose sale was answered for is closed.
-- Grain: one row per sale. $1 keys, $2 sold at (microseconds since 1970), $3 next looks (microseconds; NULL: none), $4 receipts
-- (NULL: none), $5 app, $6 run, $7 the run's now
with answered as (
    select
        given.key,
        timestamptz 'epoch' + given.sold * interval '1 microsecond' as sold_at,
        timestamptz 'epoch' + given.next_look::bigint * interval '1 microsecond' as next_look_at,
        given.receipt_id::bigint as receipt_id
    from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) as given (key, sold, next_look, receipt_id)
),

over as (
    delete from subledger.watched_sales stored
    using answered
    where stored.subscription_key = answered.key and answered.next_look_at is null
),

closed as (
    update subledger.dead_letters letter set resolved_at = $7::timestamptz
    from answered
    where letter.subscription_key = answered.key
        and letter.transaction_id is null
        and letter.stage in ('fetch', 'transform', 'load')
        and letter.last_run_id <> $6::bigint
        and letter.resolved_at is null
)

insert into subledger.watched_sales as stored (subscription_key, app_id, sold_at, next_look_at, receipt_id, last_run_id)
select key, $5::text, sold_at, next_look_at, receipt_id, $6::bigint
from answered
where next_look_at is not null
order by key
on conflict (subscription_key) do update set
    next_look_at = excluded.next_look_at,
    receipt_id = coalesce(excluded.receipt_id, stored.receipt_id),
    failures = 0,
    last_failed_at = null,
    last_error = null,
    last_run_id = excluded.last_run_id
