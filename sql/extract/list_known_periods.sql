-- What we hold of the periods of a chunk's subscriptions: enough to place a new one in its timeline. Fenced (offset 0): while the
-- table grows within a night the planner knows it as small, and would read all of it for each chunk.
-- Grain: one row per transaction. $1 keys
select
    t.subscription_key, t.transaction_id, t.product_id, t.period_key, t.ownership, t.kind, t.is_trial_conversion, t.purchased_at,
    t.period_start, t.period_end, t.price_micros, t.currency, t.refunded_at, t.refund_kind, t.refund_micros,
    t.refund_parts, t.seats, t.is_upgraded, t.country, t.offer_type, t.offer_id, t.base_plan_id, t.proceeds_micros,
    t.extended_until, t.source_version
from unnest($1::bigint[]) asked (key)
cross join lateral (
    select * from subledger.transactions stored
    where stored.subscription_key = asked.key and stored.kind <> 'one_time'
    offset 0
) t
order by t.subscription_key, t.purchased_at, t.transaction_id
