-- The money of the changed rows, as signed entries that are never rewritten.
-- Grain: one row per movement. A charge when a price is first known; a price, tax or proceeds that changes is a
-- correction pair at the purchase instant; a refund is dated by the store, sum by sum; a larger refund adds the
-- difference, a smaller or vanished one is a reversal at the instant at which a notification said so, else of the answer; a refund
-- whose instant moved is reversed at its old instant and booked again. Tax and proceeds of a refund are the store's, else in proportion: each entry
-- takes what its step adds to the share of all that is given back, so that a whole refund leaves nothing. A price that
-- was taken back to nothing and comes again is a correction: a sale is charged once.
-- Numbered after what stood when the change was found: whoever booked meanwhile has taken the number.
-- $1 run, $2 chunk, $3 the run's now
with changes as (
    select
        *,
        old_amount_micros > 0
            and (amount_micros, currency, tax_micros, proceeds_micros)
                is distinct from (old_amount_micros, old_currency, old_tax_micros, old_proceeds_micros) as is_repriced
    from subledger.stage_changes
    where run_id = $1::bigint and chunk_no = $2::integer
),

parts as (
    select c.subscription_key, c.transaction_id, c.product_id, part.at, part.micros as old_micros, part.tax as old_tax,
        0 as micros, null::bigint as tax, c.is_repriced as is_separate
    from changes c
    cross join lateral subledger.refunds_of(c.old_refund_parts, c.old_refunded_at, c.old_refund_micros) part
    union all
    select c.subscription_key, c.transaction_id, c.product_id, part.at, 0, null, part.micros, part.tax, false
    from changes c
    cross join lateral subledger.refunds_of(c.refund_parts, c.refunded_at, c.booked_refund_micros) part
),

steps as (
    select
        subscription_key, transaction_id, product_id, at,
        sum(old_micros)::bigint as old_micros, sum(micros)::bigint as micros, sum(old_tax)::bigint as old_tax,
        sum(tax)::bigint as tax, sum(micros)::bigint - sum(old_micros)::bigint as delta
    from parts
    group by subscription_key, transaction_id, product_id, at, is_separate
),

walked as (
    select
        step.*,
        bool_or(step.old_micros = 0) over line as has_new_instants,
        coalesce(sum(step.delta) over (line order by sign(step.delta), step.at rows unbounded preceding), 0)::bigint
            as change_so_far
    from steps step
    where step.delta <> 0
    window line as (partition by step.subscription_key, step.transaction_id, step.product_id)
),

giving_back as (
    select
        step.subscription_key, step.transaction_id, step.product_id,
        case when step.delta > 0 then 5 else 4 end as place,
        case when step.delta > 0 then 'refund' else 'refund_reversal' end as kind,
        case
            when step.delta > 0 then step.at
            -- A price that is taken back takes its refund back on the refund's own day.
            when step.micros = 0 and (step.has_new_instants or c.is_repriced and c.amount_micros = 0) then step.at
            else least(c.source_version, case when notified.at > step.at then notified.at end)
        end
            as occurred_at,
        -step.delta as amount,
        case
            when step.delta > 0 and step.tax is not null then coalesce(step.old_tax, 0) - step.tax
            when step.delta < 0 and step.old_tax is not null then step.old_tax - coalesce(step.tax, 0)
            when step.delta > 0 then subledger.refunded_share(c.tax_micros, share.before, share.after, c.amount_micros)
            else subledger.refunded_share(c.old_tax_micros, share.before, share.after, c.old_amount_micros)
        end as tax,
        case
            when step.delta > 0 then subledger.refunded_share(c.proceeds_micros, share.before, share.after, c.amount_micros)
            else subledger.refunded_share(c.old_proceeds_micros, share.before, share.after, c.old_amount_micros)
        end as proceeds,
        case when step.delta > 0 then c.currency else c.old_currency end as currency,
        c.price_source, c.old_price_source, c.last_seq, c.charge_seq as corrected_seq
    from walked step
    join changes c
        on c.subscription_key = step.subscription_key
        and c.transaction_id = step.transaction_id
        and c.product_id = step.product_id
    -- A notification of this very transaction, under whichever of its ids; else one that named none.
    left join lateral (
        select coalesce(
            (
                select timestamptz 'epoch' + min(report.at::bigint) * interval '1 microsecond'
                from jsonb_each_text(stored.refund_reports) as report (transaction_id, at)
                where report.transaction_id = step.transaction_id
                    or exists (
                        select from subledger.transaction_aliases alias
                        where alias.subscription_key = step.subscription_key
                            and alias.alias_transaction_id = report.transaction_id
                            and alias.transaction_id = step.transaction_id
                    )
            ), stored.refund_notified_at
        ) as at
        from subledger.subscriptions stored
        where stored.subscription_key = step.subscription_key and step.delta < 0
    ) notified on true
    cross join lateral (
        select c.old_refund_micros + step.change_so_far as after,
            c.old_refund_micros + step.change_so_far - step.delta as before
    ) share
),

movements as (
    select subscription_key, transaction_id, product_id, 1 as place,
        case when charge_seq is null then 'charge' else 'correction' end as kind, purchased_at as occurred_at,
        amount_micros as amount, tax_micros as tax, proceeds_micros as proceeds, currency, price_source, old_price_source,
        last_seq,
        -- What comes back names the correction that took it back.
        case when charge_seq is not null then (
            select max(entry.seq)
            from subledger.ledger_entries entry
            where entry.subscription_key = changes.subscription_key
                and entry.transaction_id = changes.transaction_id
                and entry.product_id = changes.product_id
                and entry.kind = 'correction'
                and entry.amount_micros < 0
        ) end as corrected_seq
    from changes
    where old_amount_micros = 0 and amount_micros > 0
    union all
    select subscription_key, transaction_id, product_id, 2, 'correction', purchased_at, -old_amount_micros,
        -old_tax_micros, -old_proceeds_micros, old_currency, price_source, old_price_source, last_seq, charge_seq
    from changes
    where is_repriced
    union all
    select subscription_key, transaction_id, product_id, 3, 'correction', purchased_at, amount_micros, tax_micros,
        proceeds_micros, currency, price_source, old_price_source, last_seq, charge_seq
    from changes
    where is_repriced and amount_micros > 0
    union all
    select subscription_key, transaction_id, product_id, place, kind, occurred_at, amount, tax, proceeds, currency,
        price_source, old_price_source, last_seq, corrected_seq
    from giving_back
),

final as (
    select
        movements.*,
        last_seq
            + row_number() over (
                partition by subscription_key, transaction_id, product_id order by place, occurred_at, amount
            ) as seq
    from movements
)

insert into subledger.ledger_entries (
    subscription_key, transaction_id, product_id, seq, kind, corrects, occurred_at, recorded_at, run_id, amount_micros,
    tax_micros, proceeds_micros, currency, source
)
select
    subscription_key, transaction_id, product_id, seq, kind,
    case when kind = 'correction' then coalesce(corrected_seq, 1) end,
    occurred_at, $3::timestamptz, $1::bigint, amount, tax, proceeds, currency,
    case
        when price_source <> 'missing' then price_source
        when old_price_source <> 'missing' then old_price_source
        else 'store_price'
    end
from final
