-- What we hold of the periods of the purchases that a chunk's subscriptions continue: a timeline is placed behind them, also
-- when the store has forgotten them.
-- Grain: one row per subscription asked about and transaction of an older purchase in its chain, 20 purchases back at most.
-- All steps are fenced (offset 0): few continue anything, and a planner without statistics expects hundreds of thousands
-- and reads the whole table for each chunk. $1 keys
with recursive chain as (
    select asked.key as asked_key, s.linked_to as earlier_key, 1 as steps
    from unnest($1::bigint[]) asked (key)
    cross join lateral (
        select linked_to from subledger.subscriptions where subscription_key = asked.key and linked_to is not null offset 0
    ) s
    union all
    select chain.asked_key, s.linked_to, chain.steps + 1
    from chain
    cross join lateral (
        select linked_to from subledger.subscriptions where subscription_key = chain.earlier_key and linked_to is not null
        offset 0
    ) s
    where chain.steps < 20
)

select
    chain.asked_key as subscription_key, t.transaction_id, t.product_id, t.period_key, t.ownership, t.kind,
    t.is_trial_conversion,
    t.purchased_at, t.period_start, t.period_end, t.price_micros, t.currency, t.refunded_at, t.refund_kind,
    t.refund_micros, t.refund_parts, t.seats, t.is_upgraded, t.country, t.offer_type, t.offer_id, t.base_plan_id,
    t.proceeds_micros,
    t.extended_until, t.source_version
from chain
cross join lateral (
    select * from subledger.transactions stored
    where stored.subscription_key = chain.earlier_key and stored.kind <> 'one_time'
    offset 0
) t
order by chain.asked_key, t.purchased_at, t.transaction_id
