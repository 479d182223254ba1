-- List prices for rows whose price the store did not report: those that had none, those booked from the list at another price, and
-- those booked from it that no line gives a price any more. What is booked for them goes the way of every change (ledger entry,
-- picture, version).
-- Grain: one row per transaction whose list price is new; the others are left alone. $1 run, $2 chunk, $3 apps
insert into subledger.stage_changes (
    run_id, chunk_no, answer_hash, is_seen_indirectly, is_new, old_amount_micros, old_currency, old_price_source, old_refund_micros,
    old_refunded_at, old_tax_micros, old_proceeds_micros, old_refund_parts, amount_micros, booked_refund_micros, proceeds_source,
    last_seq,
    charge_seq, lineage_key, period_end, extended_until, price_micros, currency, price_source, refund_micros, refund_source, base_plan_id, kind,
    is_trial_conversion, tax_micros, proceeds_micros, recurring_price_micros, is_upgraded, {transaction not placed}
)
select
    $1::bigint, $2::integer, null, false, false,
    coalesce(stored.price_micros, 0), stored.currency, stored.price_source, coalesce(stored.refund_micros, 0), stored.refunded_at,
    stored.tax_micros, stored.proceeds_micros, stored.refund_parts, coalesce(listed.price_micros * stored.quantity, 0),
    coalesce(refund.micros, 0), stored.proceeds_source, coalesce(ledger.last_seq, 0), ledger.charge_seq, stored.lineage_key,
    stored.period_end, stored.extended_until,
    listed.price_micros * stored.quantity, listed.currency,
    case when listed.price_micros is null then 'missing' else 'price_list' end, refund.micros,
    case when refund.micros is not null then coalesce(stored.refund_source, 'derived') end, stored.base_plan_id, stored.kind,
    stored.is_trial_conversion, stored.tax_micros, stored.proceeds_micros, stored.recurring_price_micros, stored.is_upgraded,
    {stored.transaction not placed}
from subledger.transactions stored
left join lateral subledger.list_price(
    stored.app_id, stored.store, stored.product_id, stored.base_plan_id, stored.country, stored.kind, stored.purchased_at,
    stored.period_start, stored.period_end
) listed
    on subledger.is_list_priced(
        stored.environment, stored.ownership, stored.kind, stored.offer_type, stored.offer_id, stored.refund_kind,
        stored.refund_micros)
cross join lateral (
    select case
        when listed.price_micros is null then null
        when stored.refund_kind = 'full' then listed.price_micros * stored.quantity
        else stored.refund_micros
    end as micros
) refund
left join lateral (
    select max(entry.seq) as last_seq,
        max(entry.seq) filter (
            where entry.kind = 'charge' or (entry.kind = 'correction' and entry.amount_micros > 0)) as charge_seq
    from subledger.ledger_entries entry
    where entry.subscription_key = stored.subscription_key
        and entry.transaction_id = stored.transaction_id
        and entry.product_id = stored.product_id
) ledger on true
where stored.app_id = any ($3::text[])
    and stored.price_source in ('missing', 'price_list')
    and (listed.price_micros is not null or stored.price_source = 'price_list')
    and (stored.price_micros, stored.currency) is distinct from (listed.price_micros * stored.quantity, listed.currency)
