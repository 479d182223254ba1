-- Revenue: the money ledger by day. Charges and their corrections stand at the purchase instant, refunds and their
-- reversals at the refund instant, so that a late refund moves its own day and no other.
-- Grain: one row per day, app, store, product, country, currency and product type with any movement.
--
-- refunds counts refund entries; a refund that was wholly taken back counts no longer, from the reversal's day on.
-- Tax and proceeds are what the store told with its orders: empty where it tells none, and estimated_share is the part of
-- the money moved whose proceeds are missing. The reporting currency is empty until the tables of rates can tell it.
drop view if exists report.revenue;
drop function if exists report.revenue_as_of(bigint, date, date, text);
create function report.revenue_as_of(seal bigint, from_date date, through_date date, time_zone text) returns table (
    date date, app_id text, store text, product_id text, country text, currency text, charges bigint, refunds bigint,
    gross numeric, refunded numeric, net numeric, tax numeric, proceeds numeric, estimated_share numeric,
    gross_reporting numeric, refunded_reporting numeric, net_reporting numeric, proceeds_reporting numeric,
    reporting_currency text, unconverted bigint, product_type text
)
language sql stable
as $$
    with entries as (
        select entry.*
        from subledger.ledger_as_of(revenue_as_of.seal) entry
    ),

    giving_back as (
        select
            entry.subscription_key, entry.transaction_id, entry.product_id, entry.seq,
            count(*) filter (where entry.kind = 'refund') over line as refunds_so_far,
            entry.kind = 'refund_reversal' and sum(entry.amount_micros) over line = 0 as is_cleared
        from entries entry
        where entry.kind in ('refund', 'refund_reversal')
        window line as (
            partition by entry.subscription_key, entry.transaction_id, entry.product_id order by entry.seq
        )
    ),

    cleared as (
        select
            step.subscription_key, step.transaction_id, step.product_id, step.seq,
            step.refunds_so_far - coalesce(lag(step.refunds_so_far) over line, 0) as refunds_taken_back
        from giving_back step
        where step.is_cleared
        window line as (partition by step.subscription_key, step.transaction_id, step.product_id order by step.seq)
    ),

    dated as (
        select
            report.day_of(entry.occurred_at, sold.store, revenue_as_of.time_zone) as day,
            sold.app_id, sold.store, sold.product_id, sold.country, entry.currency,
            case sold.kind when 'one_time' then 'one_time' when 'top_up' then 'prepaid' else 'auto_renewable' end
                as product_type,
            entry.kind, entry.amount_micros, entry.tax_micros, entry.proceeds_micros, cleared.refunds_taken_back
        from entries entry
        join subledger.transactions_as_of(revenue_as_of.seal) sold
            on sold.subscription_key = entry.subscription_key
            and sold.transaction_id = entry.transaction_id
            and sold.product_id = entry.product_id
        left join cleared
            on cleared.subscription_key = entry.subscription_key
            and cleared.transaction_id = entry.transaction_id
            and cleared.product_id = entry.product_id
            and cleared.seq = entry.seq
    ),

    summed as (
        select
            day, app_id, store, product_id, country, currency, product_type,
            count(*) filter (where kind = 'charge') as charges,
            count(*) filter (where kind = 'refund') - coalesce(sum(refunds_taken_back), 0)::bigint as refunds,
            coalesce(sum(amount_micros) filter (where kind in ('charge', 'correction')), 0) as gross_micros,
            -coalesce(sum(amount_micros) filter (where kind in ('refund', 'refund_reversal')), 0) as refunded_micros,
            case when bool_and(tax_micros is not null) then sum(tax_micros) end as tax_micros,
            sum(proceeds_micros) as proceeds_micros,
            sum(abs(amount_micros))::bigint as moved_micros,
            coalesce(sum(abs(amount_micros)) filter (where proceeds_micros is null), 0)::bigint as untold_micros
        from dated
        where day >= revenue_as_of.from_date and day <= revenue_as_of.through_date
        group by day, app_id, store, product_id, country, currency, product_type
    )

    select
        day, app_id, store, product_id, country, currency, charges, refunds,
        gross_micros * 0.000001,
        refunded_micros * 0.000001,
        (gross_micros - refunded_micros) * 0.000001,
        tax_micros * 0.000001,
        proceeds_micros * 0.000001,
        case when proceeds_micros is not null then report.share(untold_micros, moved_micros) end,
        null::numeric, null::numeric, null::numeric, null::numeric,
        null::text, null::bigint,
        product_type
    from summed
$$;

create view report.revenue as
select report.*
from subledger.newest_seal() newest
cross join lateral report.revenue_as_of(newest.seal, '-infinity', newest.business_date, 'UTC') report;

comment on function report.revenue_as_of is 'Revenue by day: gross billings (not recognised revenue) at the purchase, refunds on the day they were given';
comment on view report.revenue is 'Revenue by day, as of the newest seal, in UTC';
comment on column report.revenue.date is 'Day of the charge, or of the refund';
comment on column report.revenue.app_id is 'The owner''s own name of the app';
comment on column report.revenue.store is 'app_store or google_play';
comment on column report.revenue.product_id is 'Product sold';
comment on column report.revenue.country is 'Storefront, ISO 3166-1 alpha-2; empty where unknown';
comment on column report.revenue.currency is 'ISO 4217 code of every amount in the row';
comment on column report.revenue.charges is 'Charges: settled periods and sales with a known price above zero';
comment on column report.revenue.refunds is 'Refunds given, less those wholly taken back';
comment on column report.revenue.gross is 'Gross billings: customer prices, tax as charged, at the purchase instant, corrections included';
comment on column report.revenue.refunded is 'Money given back, positive, at the refund instant; reversals reduce it';
comment on column report.revenue.net is 'gross − refunded';
comment on column report.revenue.tax is 'Tax within net; empty where unknown';
comment on column report.revenue.proceeds is 'The developer''s part of net; empty where unknown';
comment on column report.revenue.estimated_share is 'Part of proceeds that is estimated or missing, 0 to 1';
comment on column report.revenue.gross_reporting is 'gross in the reporting currency';
comment on column report.revenue.refunded_reporting is 'refunded in the reporting currency';
comment on column report.revenue.net_reporting is 'net in the reporting currency';
comment on column report.revenue.proceeds_reporting is 'proceeds in the reporting currency';
comment on column report.revenue.reporting_currency is 'ISO 4217 code of the reporting currency';
comment on column report.revenue.unconverted is 'Movements without a rate';
comment on column report.revenue.product_type is 'auto_renewable, prepaid or one_time';
