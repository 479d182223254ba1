-- The orders that purchases still wait for, as their answers left them: what is not among them any more is booked, cancelled or
-- given up, and its dead letter is closed.
-- Grain: one row per purchase and order. $1 purchases that were answered, $2 purchases of the orders, $3 orders,
-- $4 when each was last asked for (microseconds since 1970), $5 nights, $6 the run's now
with awaited as (
    select * from unnest($2::bigint[], $3::text[], $4::bigint[], $5::bigint[])
        as still (subscription_key, transaction_id, last_asked, nights)
    -- A one-time sale is booked under its own order, of which the purchase's token knows nothing.
    where not exists (
        select from subledger.transactions booked where booked.transaction_id = still.transaction_id
    )
),

settled as (
    delete from subledger.awaited_orders stored
    where stored.subscription_key = any ($1::bigint[])
        and not exists (
            select from awaited
            where awaited.subscription_key = stored.subscription_key and awaited.transaction_id = stored.transaction_id
        )
    returning stored.subscription_key, stored.transaction_id
),

closed as (
    update subledger.dead_letters letter set resolved_at = $6::timestamptz
    from settled
    where letter.subscription_key = settled.subscription_key
        and letter.transaction_id = settled.transaction_id
        and letter.reason = 'unsettled_order'
        and letter.resolved_at is null
)

insert into subledger.awaited_orders as stored (subscription_key, transaction_id, last_asked_at, nights)
select subscription_key, transaction_id, timestamptz 'epoch' + last_asked * interval '1 microsecond', nights::integer
from awaited
on conflict (subscription_key, transaction_id) do update set
    last_asked_at = excluded.last_asked_at,
    nights = excluded.nights
