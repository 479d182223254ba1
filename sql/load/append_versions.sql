-- The full image of every changed row, for as-of views.
-- Grain: one row per changed transaction and run of the change. $1 run, $2 chunk, $3 the run's now
insert into subledger.transaction_versions (
    version, run_id, recorded_at, answer_hash, tax_micros, proceeds_micros, proceeds_source, recurring_price_micros,
    subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment,
    original_transaction_id, period_key, subscription_group, base_plan_id, kind, is_trial_conversion, offer_type, offer_id,
    ownership, quantity, country, purchased_at, period_start, period_end, price_micros, currency, price_source,
    store_discount_micros, refunded_at, refund_kind, refund_reason, refund_micros, refund_parts, is_upgraded, source_version,
    seats, refund_source
)
select
    1 + coalesce((
        select max(earlier.version)
        from subledger.transaction_versions earlier
        where earlier.subscription_key = change.subscription_key
            and earlier.transaction_id = change.transaction_id
            and earlier.product_id = change.product_id
    ), 0),
    change.run_id, $3::timestamptz, change.answer_hash, change.tax_micros, change.proceeds_micros, change.proceeds_source,
    change.recurring_price_micros, change.subscription_key, change.transaction_id, change.product_id, change.lineage_key, change.app_id,
    change.store, change.environment, change.original_transaction_id, change.period_key,
    change.subscription_group, change.base_plan_id, change.kind, change.is_trial_conversion, change.offer_type, change.offer_id,
    change.ownership, change.quantity, change.country, change.purchased_at, change.period_start,
    change.period_end, change.price_micros, change.currency, change.price_source,
    change.store_discount_micros, change.refunded_at, change.refund_kind, change.refund_reason, change.refund_micros,
    change.refund_parts, change.is_upgraded, change.source_version,
    change.seats, change.refund_source
from subledger.stage_changes change
where change.run_id = $1::bigint and change.chunk_no = $2::integer
