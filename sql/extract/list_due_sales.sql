-- The one-time sales of a chunk that are looked at for refunds, with what we know of each. Those that were seen in another answer
-- since they were planned, with all of it given back, are there no more.
-- Grain: one row per line of a sale. $1 keys
select
    watched.app_id, sale.store, watched.failures, watched.last_failed_at, watched.receipt_id, r.receipt,
    sale.original_transaction_id, sale.environment, sale.subscription_key, sale.transaction_id, sale.product_id,
    sale.period_key, sale.ownership, sale.kind, sale.is_trial_conversion, sale.purchased_at, sale.period_start, sale.period_end,
    sale.price_micros, sale.currency, sale.refunded_at, sale.refund_kind, sale.refund_micros, sale.refund_parts, sale.seats,
    sale.is_upgraded, sale.country, sale.offer_type, sale.offer_id, sale.base_plan_id, sale.proceeds_micros,
    sale.extended_until, sale.source_version
from subledger.watched_sales watched
join subledger.transactions sale on sale.subscription_key = watched.subscription_key and sale.kind = 'one_time'
left join subledger.receipts r on r.receipt_id = watched.receipt_id
where watched.subscription_key = any ($1::bigint[])
order by sale.subscription_key, sale.transaction_id, sale.product_id
