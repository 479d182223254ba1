-- List prices for rows whose price the store did not report: those that had none, and those booked from the list at another
-- price. What is booked for them goes the way of every change (ledger entry, picture, version).
-- Grain: one row per transaction whose list price is new; the others are left alone. $1 run, $2 chunk, $3 apps
insert into subledger.stage_changes (
    run_id, chunk_no, answer_hash, is_seen_indirectly, is_new, old_amount_micros, old_currency, old_refund_micros, old_refunded_at,
    old_tax_micros, old_proceeds_micros, old_refund_parts, amount_micros, booked_refund_micros, proceeds_source, last_seq,
    charge_seq, lineage_key, price_micros, currency, price_source, refund_micros, refund_source, base_plan_id, kind,
    is_trial_conversion, tax_micros, proceeds_micros, recurring_price_micros, is_upgraded, {transaction not placed}
)
select
    $1::bigint, $2::integer, null, false, false,
    coalesce(held.price_micros, 0), held.currency, coalesce(held.refund_micros, 0), held.refunded_at,
    held.tax_micros, held.proceeds_micros, held.refund_parts, listed.price_micros * held.quantity,
    coalesce(refund.micros, 0), held.proceeds_source, coalesce(ledger.last_seq, 0), ledger.charge_seq, held.lineage_key,
    listed.price_micros * held.quantity, listed.currency, 'price_list', refund.micros,
    case when refund.micros is not null then coalesce(held.refund_source, 'derived') end, held.base_plan_id, held.kind,
    held.is_trial_conversion, held.tax_micros, held.proceeds_micros, held.recurring_price_micros, held.is_upgraded,
    {held.transaction not placed}
from subledger.transactions held
cross join lateral subledger.list_price(
    held.app_id, held.product_id, held.base_plan_id, held.country, held.purchased_at
) listed
cross join lateral (
    select case held.refund_kind when 'full' then listed.price_micros * held.quantity else held.refund_micros end as micros
) refund
left join lateral (
    select max(entry.seq) as last_seq,
        max(entry.seq) filter (
            where entry.kind = 'charge' or (entry.kind = 'correction' and entry.amount_micros > 0)) as charge_seq
    from subledger.ledger_entries entry
    where entry.subscription_key = held.subscription_key
        and entry.transaction_id = held.transaction_id
        and entry.product_id = held.product_id
) ledger on true
where held.app_id = any ($3::text[])
    and held.price_source in ('missing', 'price_list')
    and subledger.is_list_priced(
        held.environment, held.ownership, held.kind, held.offer_type, held.refund_kind, held.refund_micros)
    and (held.price_micros, held.currency) is distinct from (listed.price_micros * held.quantity, listed.currency)
