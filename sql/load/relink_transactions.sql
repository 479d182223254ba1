-- Rows of earlier answers whose line has changed by a new link: staged as changes, so that their history says so.
-- Grain: one row per transaction that this chunk's answers did not show. $1 run, $2 chunk, $3 later keys of the new links
insert into subledger.stage_changes (
    run_id, chunk_no, answer_hash, is_glimpse, is_new, old_amount_micros, old_currency, old_refund_micros, old_refunded_at,
    old_tax_micros, old_proceeds_micros, old_refund_parts, amount_micros, booked_refund_micros, tax_micros,
    proceeds_micros, proceeds_source, recurring_price_micros, refund_parts,
    subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment,
    original_transaction_id, period_key, subscription_group, base_plan_id, kind, is_trial_conversion, offer_type, offer_id,
    ownership, quantity, country, purchased_at, period_start, period_end, price_micros, currency, price_source,
    store_discount_micros, refunded_at, refund_kind, refund_reason, refund_micros, is_upgraded, source_version,
    seats, refund_source
)
select
    $1::bigint, $2::integer, null, false, false, booked.amount, held.currency, booked.refund, held.refunded_at,
    held.tax_micros, held.proceeds_micros, held.refund_parts, booked.amount, booked.refund, held.tax_micros,
    held.proceeds_micros, held.proceeds_source, held.recurring_price_micros, held.refund_parts,
    held.subscription_key, held.transaction_id, held.product_id, subscription.lineage_key, held.app_id, held.store,
    held.environment, held.original_transaction_id, held.period_key, held.subscription_group, held.base_plan_id, held.kind,
    held.is_trial_conversion, held.offer_type, held.offer_id, held.ownership, held.quantity, held.country,
    held.purchased_at, held.period_start, held.period_end, held.price_micros, held.currency, held.price_source,
    held.store_discount_micros, held.refunded_at, held.refund_kind, held.refund_reason,
    held.refund_micros, held.is_upgraded, held.source_version,
    held.seats, held.refund_source
from subledger.subscriptions subscription
join subledger.transactions held
    on held.subscription_key = subscription.subscription_key and held.lineage_key <> subscription.lineage_key
cross join lateral (
    select subledger.bookable_micros(held.environment, held.ownership, held.kind, held.price_micros) as amount,
        subledger.bookable_micros(held.environment, held.ownership, held.kind, held.refund_micros) as refund
) booked
where subscription.lineage_key in (
        select line.lineage_key from subledger.subscriptions line where line.subscription_key = any ($3::bigint[])
    )
    and not exists (
        select from subledger.stage_changes staged
        where staged.run_id = $1::bigint
            and staged.chunk_no = $2::integer
            and staged.subscription_key = held.subscription_key
            and staged.transaction_id = held.transaction_id
            and staged.product_id = held.product_id
    )
