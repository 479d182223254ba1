-- What we hold of the periods of a chunk's subscriptions: enough to place a new one in its line.
-- Grain: one row per transaction. $1 keys
select
    subscription_key, transaction_id, product_id, period_key, kind, is_trial_conversion, purchased_at, period_start,
    period_end, price_micros, currency, refunded_at, refund_kind, refund_micros,
    refund_parts, seats, is_upgraded, country, offer_type, offer_id, base_plan_id, proceeds_micros
from subledger.transactions
where subscription_key = any ($1::bigint[]) and kind <> 'one_time'
order by subscription_key, purchased_at, transaction_id
