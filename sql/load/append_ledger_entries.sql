-- The money of the changed rows, as signed entries that are never rewritten.
-- Grain: one row per movement. A charge when a price is first known; a price that changes is a correction pair at the
-- purchase instant; a refund is dated by the store; a larger refund adds the difference, a smaller or vanished one is a
-- reversal at the instant of the answer; a refund whose instant moved is reversed where it stood and booked anew.
-- $1 run, $2 chunk, $3 the run's now
with changes as (
    select
        *,
        currency is distinct from old_currency as is_other_currency,
        refunded_at is distinct from old_refunded_at or currency is distinct from old_currency as is_other_refund
    from subledger.stage_changes
    where run_id = $1::bigint and chunk_no = $2::integer
),

standing as (
    select c.subscription_key, c.transaction_id, c.product_id, max(e.seq) as last_seq,
        max(e.seq) filter (where e.kind = 'charge' or (e.kind = 'correction' and e.amount_micros > 0)) as charge_seq
    from changes c
    join subledger.ledger_entries e
        on e.subscription_key = c.subscription_key
        and e.transaction_id = c.transaction_id
        and e.product_id = c.product_id
    group by c.subscription_key, c.transaction_id, c.product_id
),

movements as (
    select subscription_key, transaction_id, product_id, 1 as place, 'charge' as kind, purchased_at as occurred_at,
        amount_micros as amount, currency, price_source
    from changes
    where old_amount_micros = 0 and amount_micros > 0
    union all
    select subscription_key, transaction_id, product_id, 2, 'correction', purchased_at, -old_amount_micros, old_currency,
        price_source
    from changes
    where old_amount_micros > 0 and (amount_micros <> old_amount_micros or is_other_currency)
    union all
    select subscription_key, transaction_id, product_id, 3, 'correction', purchased_at, amount_micros, currency,
        price_source
    from changes
    where old_amount_micros > 0 and amount_micros > 0 and (amount_micros <> old_amount_micros or is_other_currency)
    union all
    select subscription_key, transaction_id, product_id, 4, 'refund_reversal', old_refunded_at, old_refund_micros,
        old_currency, price_source
    from changes
    where old_refund_micros > 0 and booked_refund_micros > 0 and is_other_refund
    union all
    select subscription_key, transaction_id, product_id, 4, 'refund_reversal', source_version, old_refund_micros,
        old_currency, price_source
    from changes
    where old_refund_micros > 0 and booked_refund_micros = 0
    union all
    select subscription_key, transaction_id, product_id, 4, 'refund_reversal', source_version,
        old_refund_micros - booked_refund_micros, old_currency, price_source
    from changes
    where old_refund_micros > booked_refund_micros and booked_refund_micros > 0 and not is_other_refund
    union all
    select subscription_key, transaction_id, product_id, 5, 'refund', refunded_at,
        -(booked_refund_micros - case when is_other_refund then 0 else old_refund_micros end), currency, price_source
    from changes
    where booked_refund_micros > case when is_other_refund then 0 else old_refund_micros end
),

final as (
    select
        m.*,
        coalesce(s.last_seq, 0)
            + row_number() over (partition by m.subscription_key, m.transaction_id, m.product_id order by m.place) as seq,
        s.charge_seq
    from movements m
    left join standing s
        on s.subscription_key = m.subscription_key
        and s.transaction_id = m.transaction_id
        and s.product_id = m.product_id
)

insert into subledger.ledger_entries (
    subscription_key, transaction_id, product_id, seq, kind, corrects, occurred_at, recorded_at, run_id, amount_micros,
    currency, source
)
select
    subscription_key, transaction_id, product_id, seq, kind,
    case when kind = 'correction' then coalesce(charge_seq, 1) end,
    occurred_at, $3::timestamptz, $1::bigint, amount, currency,
    case price_source when 'missing' then 'store_price' else price_source end
from final
