-- Canonical rows into staging.
-- Grain: one row per transaction of the chunk
copy subledger.stage_transactions (
    run_id, chunk_no, answer_hash, is_glimpse, subscription_key, transaction_id, product_id, lineage_key,
    app_id, store, environment, original_transaction_id, period_key, subscription_group, base_plan_id, kind,
    is_trial_conversion, offer_type, offer_id, ownership, quantity, country, purchased_at, period_start,
    period_end, price_micros, currency, price_source, tax_micros, proceeds_micros, recurring_price_micros,
    store_discount_micros, refunded_at, refund_kind, refund_reason, refund_micros, refund_parts, is_upgraded, tells_upgrade,
    source_version,
    seats, refund_source
) from stdin
