-- The staged rows that change something, each with what it replaces; an unchanged night finds none.
-- Grain: one row per changed transaction. An older source version never overwrites a newer one, and an answer that is
-- equal but for its signing time changes nothing. $1 run, $2 chunk
with staged as (
    select distinct on (subscription_key, transaction_id, product_id) *
    from subledger.stage_transactions
    where run_id = $1::bigint and chunk_no = $2::integer
    order by subscription_key, transaction_id, product_id, source_version desc
)

insert into subledger.stage_changes (
    run_id, chunk_no, answer_hash, is_new, old_amount_micros, old_currency, old_refund_micros, old_refunded_at,
    amount_micros, booked_refund_micros,
    subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment,
    original_transaction_id, period_key, subscription_group, kind, is_trial_conversion, offer_type, offer_id,
    ownership, quantity, country, purchased_at, period_start, period_end, price_micros, currency, price_source,
    refunded_at, refund_kind, refund_micros, is_upgraded, source_version
)
select
    staged.run_id,
    staged.chunk_no,
    staged.answer_hash,
    held.subscription_key is null,
    coalesce(subledger.bookable_micros(held.environment, held.ownership, held.kind, held.price_micros), 0),
    held.currency,
    coalesce(subledger.bookable_micros(held.environment, held.ownership, held.kind, held.refund_micros), 0),
    held.refunded_at,
    subledger.bookable_micros(staged.environment, staged.ownership, staged.kind, staged.price_micros),
    subledger.bookable_micros(staged.environment, staged.ownership, staged.kind, staged.refund_micros),
    staged.subscription_key, staged.transaction_id, staged.product_id, staged.lineage_key, staged.app_id,
    staged.store, staged.environment, staged.original_transaction_id, staged.period_key,
    staged.subscription_group, staged.kind, staged.is_trial_conversion, staged.offer_type, staged.offer_id,
    staged.ownership, staged.quantity, staged.country, staged.purchased_at, staged.period_start,
    staged.period_end, staged.price_micros, staged.currency, staged.price_source, staged.refunded_at,
    staged.refund_kind, staged.refund_micros, staged.is_upgraded, staged.source_version
from staged
left join subledger.transactions held
    on held.subscription_key = staged.subscription_key
    and held.transaction_id = staged.transaction_id
    and held.product_id = staged.product_id
where held.subscription_key is null
    or (
        staged.source_version >= held.source_version
        and (
            staged.lineage_key, staged.app_id, staged.store, staged.environment, staged.original_transaction_id,
            staged.period_key, staged.subscription_group, staged.kind, staged.is_trial_conversion,
            staged.offer_type, staged.offer_id, staged.ownership, staged.quantity, staged.country,
            staged.purchased_at, staged.period_start, staged.period_end, staged.price_micros, staged.currency,
            staged.price_source, staged.refunded_at, staged.refund_kind, staged.refund_micros,
            staged.is_upgraded
        ) is distinct from (
            held.lineage_key, held.app_id, held.store, held.environment, held.original_transaction_id,
            held.period_key, held.subscription_group, held.kind, held.is_trial_conversion, held.offer_type,
            held.offer_id, held.ownership, held.quantity, held.country, held.purchased_at, held.period_start,
            held.period_end, held.price_micros, held.currency, held.price_source, held.refunded_at,
            held.refund_kind, held.refund_micros, held.is_upgraded
        )
    )
