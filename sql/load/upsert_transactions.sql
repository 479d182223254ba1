-- Today's picture of the changed rows.
-- Grain: one row per changed transaction, in key order so that two workers never wait for each other in a circle.
-- $1 run, $2 chunk
insert into subledger.transactions as held (
    subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment,
    original_transaction_id, period_key, subscription_group, base_plan_id, kind, is_trial_conversion, offer_type, offer_id,
    ownership, quantity, country, purchased_at, period_start, period_end, price_micros, currency, price_source,
    tax_micros, proceeds_micros, proceeds_source, recurring_price_micros, store_discount_micros, refunded_at,
    refund_kind, refund_reason, refund_micros,
    refund_parts, is_upgraded, source_version, recorded_run_id, changed_run_id,
    seats, refund_source
)
select
    subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment,
    original_transaction_id, period_key, subscription_group, base_plan_id, kind, is_trial_conversion, offer_type, offer_id,
    ownership, quantity, country, purchased_at, period_start, period_end, price_micros, currency, price_source,
    tax_micros, proceeds_micros, proceeds_source, recurring_price_micros, store_discount_micros, refunded_at,
    refund_kind, refund_reason, refund_micros,
    refund_parts, is_upgraded, source_version, run_id, run_id,
    seats, refund_source
from subledger.stage_changes
where run_id = $1::bigint and chunk_no = $2::integer
order by subscription_key, transaction_id, product_id
on conflict (subscription_key, transaction_id, product_id) do update set
    lineage_key = excluded.lineage_key,
    app_id = excluded.app_id,
    store = excluded.store,
    environment = excluded.environment,
    original_transaction_id = excluded.original_transaction_id,
    period_key = excluded.period_key,
    subscription_group = excluded.subscription_group,
    base_plan_id = excluded.base_plan_id,
    kind = excluded.kind,
    is_trial_conversion = excluded.is_trial_conversion,
    offer_type = excluded.offer_type,
    offer_id = excluded.offer_id,
    ownership = excluded.ownership,
    quantity = excluded.quantity,
    country = excluded.country,
    purchased_at = excluded.purchased_at,
    period_start = excluded.period_start,
    period_end = excluded.period_end,
    price_micros = excluded.price_micros,
    currency = excluded.currency,
    price_source = excluded.price_source,
    tax_micros = excluded.tax_micros,
    proceeds_micros = excluded.proceeds_micros,
    proceeds_source = excluded.proceeds_source,
    recurring_price_micros = excluded.recurring_price_micros,
    store_discount_micros = excluded.store_discount_micros,
    refunded_at = excluded.refunded_at,
    refund_kind = excluded.refund_kind,
    refund_reason = excluded.refund_reason,
    refund_micros = excluded.refund_micros,
    refund_parts = excluded.refund_parts,
    is_upgraded = excluded.is_upgraded,
    source_version = excluded.source_version,
    changed_run_id = excluded.changed_run_id,
    seats = excluded.seats,
    refund_source = excluded.refund_source
where held.source_version <= excluded.source_version
