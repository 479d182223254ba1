-- The money ledger summed by what is alike in every rule and rate: what the revenue report is priced from.
-- Grain: one row per day, place of sale and set of rules. is_refund: refunds and their reversals; is_tax_untold, is_untold:
-- the store did not tell the tax, the proceeds; country is empty where unknown. Sums in micros, with their sign;
-- moved_micros adds them up without it, listed_micros those of them whose price is the owner's list's.
drop table if exists report.revenue_sums cascade;
create table report.revenue_sums (
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    country text not null,
    currency text not null,
    product_type text not null,
    purchase_day date not null,
    has_paid_a_year boolean not null,
    is_refund boolean not null,
    is_tax_untold boolean not null,
    is_untold boolean not null,
    movements bigint not null,
    charges bigint not null,
    refunds bigint not null,
    micros numeric not null,
    moved_micros numeric not null,
    listed_micros numeric not null,
    tax_micros numeric not null,
    proceeds_micros numeric not null,
    primary key (
        day, app_id, store, product_id, country, currency, product_type, purchase_day, has_paid_a_year, is_refund,
        is_tax_untold, is_untold
    )
);

create or replace function report.revenue_sums_as_of(seal bigint, subscriptions bigint[], time_zone text)
returns setof report.revenue_sums
language sql stable
set enable_nestloop = off
set jit = off
as $$
    select
        day, app_id, store, product_id, coalesce(country, ''), currency, product_type, purchase_day, has_paid_a_year,
        kind in ('refund', 'refund_reversal'), tax_micros is null, proceeds_micros is null,
        count(*),
        count(*) filter (where kind = 'charge'),
        (count(*) filter (where kind = 'refund') - sum(refunds_taken_back))::bigint,
        sum(amount_micros),
        sum(abs(amount_micros)),
        coalesce(sum(abs(amount_micros)) filter (where source = 'price_list'), 0),
        coalesce(sum(tax_micros), 0),
        coalesce(sum(proceeds_micros), 0)
    from report.movements_as_of(
        revenue_sums_as_of.seal, revenue_sums_as_of.time_zone, revenue_sums_as_of.subscriptions
    )
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
$$;

comment on table report.revenue_sums is 'Kept sums of the money ledger, which the revenue report is priced from';
comment on function report.revenue_sums_as_of is 'The same sums, of some subscriptions or all, as of a seal';

call report.make_reader('revenue');
