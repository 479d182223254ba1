-- The money ledger with what the reports need to know of each entry, estimates included. What the store did not tell is
-- estimated here, while reporting, and never written into the ledger: a new rule rewrites nothing.
-- Grain: one row per ledger entry.
--
-- Rules, tax and exchange rates are those of the purchase's day (in UTC), also for its refund. product_type tells one-time
-- sales, prepaid top-ups and auto-renewing subscriptions apart. tax_divisor: price ÷ divisor is net of tax; kept_share: the
-- developer's part of what is net of tax; both NULL where no rule is known. rate_numerator ÷ rate_denominator converts
-- into the reporting currency; NULL where there is no rate.
drop function if exists report.movements_as_of(bigint, text);
create function report.movements_as_of(seal bigint, time_zone text) returns table (
    subscription_key bigint, transaction_id text, sold_product_id text, seq integer, kind text, occurred_at timestamptz,
    day date, app_id text, store text, product_id text, country text, currency text, product_type text,
    amount_micros bigint, tax_micros bigint, proceeds_micros bigint, tax_divisor numeric, kept_share numeric,
    rate_numerator numeric, rate_denominator numeric, rate_source text, rate_date date, is_flagged boolean
)
language sql stable
-- The planner takes what as-of functions give for a handful of rows; looping over many thousands would never end.
set enable_nestloop = off
set jit = off
as $$
    with entries as materialized (
        select
            entry.subscription_key, entry.transaction_id, entry.product_id, entry.seq, entry.kind, entry.occurred_at,
            entry.currency, entry.amount_micros, entry.tax_micros, entry.proceeds_micros,
            sold.app_id, sold.store, sold.country,
            case sold.kind when 'one_time' then 'one_time' when 'top_up' then 'prepaid' else 'auto_renewable' end
                as product_type,
            (sold.purchased_at at time zone 'UTC')::date as purchase_day
        from subledger.ledger_as_of(movements_as_of.seal) entry
        join subledger.transactions_as_of(movements_as_of.seal) sold
            on sold.subscription_key = entry.subscription_key
            and sold.transaction_id = entry.transaction_id
            and sold.product_id = entry.product_id
    ),

    aged as materialized (
        select
            entries.*,
            entries.proceeds_micros is null
                and (entries.subscription_key, entries.transaction_id, entries.product_id) in (
                    select year.subscription_key, year.transaction_id, year.product_id
                    from report.paid_a_year_as_of(movements_as_of.seal) year
                ) as has_paid_a_year
        from entries
    ),

    converted as materialized (
        select pair.currency, pair.purchase_day, rate.*
        from (select distinct currency, purchase_day from entries) pair
        cross join subledger.settings
        cross join lateral report.conversion_as_of(
            movements_as_of.seal, pair.currency, settings.reporting_currency, pair.purchase_day
        ) rate
    ),

    ruled as materialized (
        select
            sale.*,
            1 - report.commission_as_of(
                movements_as_of.seal, sale.store, sale.app_id, sale.country, sale.product_type, sale.purchase_day,
                sale.has_paid_a_year) as kept_share
        from (
            select distinct store, app_id, country, product_type, purchase_day, has_paid_a_year
            from aged
            where proceeds_micros is null
        ) sale
    ),

    taxed as materialized (
        select
            place.*, report.tax_divisor_as_of(movements_as_of.seal, place.country, place.purchase_day) as tax_divisor
        from (
            select distinct country, purchase_day
            from aged
            where country is not null and (proceeds_micros is null or tax_micros is null)
        ) place
    )

    select
        aged.subscription_key, aged.transaction_id, aged.product_id, aged.seq, aged.kind, aged.occurred_at,
        report.day_of(aged.occurred_at, aged.store, movements_as_of.time_zone),
        aged.app_id, aged.store, aged.product_id, aged.country, aged.currency, aged.product_type,
        aged.amount_micros, aged.tax_micros, aged.proceeds_micros, taxed.tax_divisor, ruled.kept_share,
        converted.numerator, converted.denominator, converted.source, converted.rate_date, converted.is_flagged
    from aged
    left join converted on converted.currency = aged.currency and converted.purchase_day = aged.purchase_day
    left join taxed on taxed.country = aged.country and taxed.purchase_day = aged.purchase_day
    left join ruled
        on ruled.store = aged.store
        and ruled.app_id = aged.app_id
        and coalesce(ruled.country, '') = coalesce(aged.country, '')
        and ruled.product_type = aged.product_type
        and ruled.purchase_day = aged.purchase_day
        and ruled.has_paid_a_year = aged.has_paid_a_year
$$;

-- Refunds that were wholly taken back: how many of them each reversal undoes. Grain: one row per such reversal.
drop function if exists report.cleared_refunds_as_of(bigint);
create function report.cleared_refunds_as_of(seal bigint) returns table (
    subscription_key bigint, transaction_id text, product_id text, seq integer, refunds_taken_back bigint
)
language sql stable
as $$
    with giving_back as (
        select
            entry.subscription_key, entry.transaction_id, entry.product_id, entry.seq,
            count(*) filter (where entry.kind = 'refund') over line as refunds_so_far,
            entry.kind = 'refund_reversal' and sum(entry.amount_micros) over line = 0 as is_cleared
        from subledger.ledger_as_of(cleared_refunds_as_of.seal) entry
        where entry.kind in ('refund', 'refund_reversal')
        window line as (
            partition by entry.subscription_key, entry.transaction_id, entry.product_id order by entry.seq
        )
    )

    select
        step.subscription_key, step.transaction_id, step.product_id, step.seq,
        step.refunds_so_far - coalesce(lag(step.refunds_so_far) over line, 0)
    from giving_back step
    where step.is_cleared
    window line as (partition by step.subscription_key, step.transaction_id, step.product_id order by step.seq)
$$;

comment on function report.movements_as_of is 'The money ledger with product, day, rules and rates of each entry';
comment on function report.cleared_refunds_as_of is 'Reversals that wholly took refunds back, and how many';
