-- The looks that fell due while an app's notifications report every refund are made by them: the next one counts, and a sale whose
-- last look is over is watched no more.
-- Grain: one row per sale whose look fell due. $1 app, $2 the run's now, $3 days of the looks after a charge
with due as (
    select
        watched.subscription_key,
        (
            select min(watched.sold_at + look.days * interval '1 day')
            from unnest($3::bigint[]) as look (days)
            where watched.sold_at + look.days * interval '1 day' > $2::timestamptz
        ) as next_look_at
    from subledger.watched_sales watched
    where watched.app_id = $1::text and watched.next_look_at <= $2::timestamptz
    order by watched.subscription_key
    for update
),

over as (
    delete from subledger.watched_sales watched
    using due
    where watched.subscription_key = due.subscription_key and due.next_look_at is null
)

update subledger.watched_sales watched set next_look_at = due.next_look_at, failures = 0, last_error = null
from due
where watched.subscription_key = due.subscription_key and due.next_look_at is not null
