-- What we hold of the periods of the purchases that a chunk's subscriptions continue: a line is placed behind them, also
-- when the store has forgotten them.
-- Grain: one row per subscription asked about and transaction of an older purchase in its chain, 20 purchases back at most.
-- $1 keys
with recursive chain as (
    select s.subscription_key as asked_key, s.linked_to as earlier_key, 1 as steps
    from subledger.subscriptions s
    where s.subscription_key = any ($1::bigint[]) and s.linked_to is not null
    union all
    select chain.asked_key, s.linked_to, chain.steps + 1
    from chain
    join subledger.subscriptions s on s.subscription_key = chain.earlier_key
    where s.linked_to is not null and chain.steps < 20
)

select
    chain.asked_key as subscription_key, t.transaction_id, t.product_id, t.period_key, t.kind, t.is_trial_conversion,
    t.purchased_at, t.period_start, t.period_end, t.price_micros, t.currency, t.refunded_at, t.refund_kind,
    t.refund_micros, t.refund_parts, t.seats, t.is_upgraded, t.country, t.offer_type, t.offer_id, t.base_plan_id,
    t.proceeds_micros
from chain
join subledger.transactions t on t.subscription_key = chain.earlier_key
where t.kind <> 'one_time'
order by chain.asked_key, t.purchased_at, t.transaction_id
