-- Plans an app's part of a run: all that is due and not planned yet, in chunks, those whose access ends soonest first.
-- Planned again when the work is done, it finds what fell due meanwhile: subscriptions that an answer showed, and those
-- asked already that a later answer has made due. These are asked a second time, and no third: what requests one check might
-- request another. What waits for a decision (`deferred_checks`) was asked, and is neither before it is decided.
-- An audit leaves alone what has ended: a refund watch that is still to come makes it due on its own day.
-- One-time sales whose look is due, all that are still to be looked at in an audit, come behind the subscriptions, each once in
-- a run.
-- Grain: one row per chunk. What is read from one receipt is asked together, so it shares a chunk, subscriptions first.
-- $1 run, $2 app, $3 the run's now, $4 every subscription not closed (audit), $5 units per chunk,
-- $6 chunks planned before, $7 one-time sales are looked at
with planned as (
    select plan.subscription_key, count(*) as times, bool_and(chunk.state = 'done') as is_done
    from subledger.run_plan plan
    join subledger.run_chunks chunk on chunk.run_id = plan.run_id and chunk.chunk_no = plan.chunk_no
    where plan.run_id = $1::bigint and chunk.app_id = $2::text
    group by plan.subscription_key
),

undecided as (
    select distinct asked.subscription_key
    from subledger.deferred_checks deferred
    cross join unnest(deferred.subscription_keys) as asked (subscription_key)
    where deferred.run_id = $1::bigint and deferred.app_id = $2::text
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
        and not exists (select from undecided where undecided.subscription_key = stored.subscription_key)
),

due_sales as (
    select watched.subscription_key, watched.receipt_id
    from subledger.watched_sales watched
    left join planned on planned.subscription_key = watched.subscription_key
    where watched.app_id = $2::text
        and (watched.next_look_at <= $3::timestamptz or $4::boolean)
        and planned.times is null
        and $7::boolean
),

receipts as (
    select receipt_id from due where receipt_id is not null
    union
    select receipt_id from due_sales where receipt_id is not null
),

asked as (
    select subscription_key from due
    union
    select sibling.subscription_key
    from subledger.subscriptions sibling
    where sibling.receipt_id in (select receipt_id from receipts)
),

units as (
    select
        s.subscription_key, false as is_sale, coalesce(s.receipt_id, s.subscription_key) as unit,
        coalesce(s.grace_expires_at, s.expires_at) as access_ends
    from subledger.subscriptions s
    join asked on asked.subscription_key = s.subscription_key
    union all
    select subscription_key, true, coalesce(receipt_id, subscription_key), null
    from due_sales
    -- Registered under its own id, it is asked about as that.
    where subscription_key not in (select subscription_key from asked)
),

ranked as (
    select
        subscription_key, is_sale, unit, bool_and(is_sale) over together as is_sale_alone,
        min(access_ends) over together as access_ends
    from units
    window together as (partition by unit)
),

placed as (
    select subscription_key, is_sale, dense_rank() over (order by is_sale_alone, access_ends nulls first, unit) as place
    from ranked
)

insert into subledger.run_chunks (run_id, chunk_no, app_id, subscription_keys)
select
    $1::bigint,
    $6::integer + 1 + ((place - 1) / $5::integer)::integer,
    $2::text,
    array_agg(subscription_key order by place, is_sale, subscription_key)
from placed
group by 2
