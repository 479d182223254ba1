-- Plans an app's part of a run: all that is due and not planned yet, in chunks, those whose access ends soonest first.
-- Planned again when the work is done, it finds what fell due meanwhile: subscriptions that an answer showed, and those
-- asked already that a later answer has made due. These are asked a second time, and no third: what requests one check might
-- request another.
-- An audit leaves alone what has ended: a refund watch that is still to come makes it due on its own day.
-- Grain: one row per chunk. Subscriptions that are read from one receipt are asked together, so they share a chunk.
-- $1 run, $2 app, $3 the run's now, $4 every subscription not closed (audit), $5 units per chunk,
-- $6 chunks planned before
with planned as (
    select plan.subscription_key, count(*) as times, bool_and(chunk.state = 'done') as is_done
    from subledger.run_plan plan
    join subledger.run_chunks chunk on chunk.run_id = plan.run_id and chunk.chunk_no = plan.chunk_no
    where plan.run_id = $1::bigint and chunk.app_id = $2::text
    group by plan.subscription_key
),

due as (
    select stored.subscription_key, stored.receipt_id
    from subledger.subscriptions stored
    left join planned on planned.subscription_key = stored.subscription_key
    where stored.app_id = $2::text
        and (
            stored.next_check_at <= $3::timestamptz
            or ($4::boolean and stored.next_check_at is not null and stored.state not in ('expired', 'revoked'))
        )
        and (planned.times is null or (planned.times = 1 and planned.is_done and stored.next_check_at = '-infinity'))
),

asked as (
    select subscription_key from due
    union
    select sibling.subscription_key
    from subledger.subscriptions sibling
    where sibling.receipt_id in (select receipt_id from due where receipt_id is not null)
),

units as (
    select
        s.subscription_key,
        coalesce(s.receipt_id, s.subscription_key) as unit,
        min(coalesce(s.grace_expires_at, s.expires_at)) over (partition by coalesce(s.receipt_id, s.subscription_key))
            as access_ends
    from subledger.subscriptions s
    join asked on asked.subscription_key = s.subscription_key
),

placed as (
    select subscription_key, dense_rank() over (order by access_ends nulls first, unit) as place
    from units
)

insert into subledger.run_chunks (run_id, chunk_no, app_id, subscription_keys)
select
    $1::bigint,
    $6::integer + 1 + ((place - 1) / $5::integer)::integer,
    $2::text,
    array_agg(subscription_key order by place, subscription_key)
from placed
group by 2
