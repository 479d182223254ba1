-- Who of a month's newcomers paid in which month of their lives, and what it was worth.
-- Grain: one row per cohort, app, store, month number, currency and denominator. cohort_day: in month 0 the day of the first
-- payments, since a cohort counts while its month is running; from month 1 on the first day of their month. lineages: paid
-- in that month of their lives, each under its latest period there; Σ units ÷ denominator is the MRR of those in micros, in
-- lowest terms; the currency is empty where their money is unknown.
drop table if exists report.cohorts_sums cascade;
create table report.cohorts_sums (
    cohort_day date not null,
    app_id text not null,
    store text not null,
    month_number bigint not null,
    currency text not null,
    denominator numeric not null,
    lineages bigint not null,
    units numeric not null,
    primary key (cohort_day, app_id, store, month_number, currency, denominator)
);

-- Every lineage has lived its month 0: its first period begins it. So month 0 holds the whole cohort.
create or replace function report.cohorts_sums_as_of(seal bigint, subscriptions bigint[], time_zone text)
returns setof report.cohorts_sums
language sql stable
set enable_nestloop = off
set jit = off
as $$
    with pieces as materialized (
        select
            piece.lineage_key, piece.app_id, piece.store, piece.currency, piece.gross_units as units, piece.scale,
            piece.starts_at, piece.entry, piece.transaction_id, piece.product_id, paid.purchased_at,
            report.zone_of(piece.store, cohorts_sums_as_of.time_zone) as zone,
            least(piece.starts_at + interval '26 hours', paid.declared_end) as lived_from,
            greatest(paid.declared_end - interval '26 hours', piece.starts_at) as lived_through
        from report.mrr_pieces_as_of(cohorts_sums_as_of.seal, cohorts_sums_as_of.subscriptions) piece
        join report.paid_segments_as_of(cohorts_sums_as_of.seal, cohorts_sums_as_of.subscriptions) paid
            on paid.subscription_key = piece.subscription_key
            and paid.transaction_id = piece.transaction_id
            and paid.product_id = piece.product_id
    ),

    lineages as (
        select lineage_key, app_id, store, zone, starts_at at time zone zone as first_paid
        from pieces
        where entry = 'new'
    ),

    -- The months of its lineage's life that a period lies in.
    lived as (
        select
            lineage.lineage_key, lineage.app_id, lineage.store, lineage.first_paid, piece.currency, piece.units,
            piece.scale, piece.starts_at, piece.purchased_at, piece.transaction_id, piece.product_id, number
        from lineages lineage
        join pieces piece on piece.lineage_key = lineage.lineage_key
        cross join lateral generate_series(
            greatest(0, report.months_between(lineage.first_paid, piece.lived_from at time zone lineage.zone)),
            greatest(0, report.months_between(lineage.first_paid, piece.lived_through at time zone lineage.zone))
        ) number
    ),

    latest as (
        select distinct on (lineage_key, number)
            case when number = 0 then first_paid::date else date_trunc('month', first_paid)::date end as cohort_day,
            app_id, store, number::bigint as month_number,
            case when units is not null then currency else '' end as currency,
            coalesce(div(scale, gcd(units, scale)), 1) as denominator,
            coalesce(div(units, gcd(units, scale)), 0) as units
        from lived
        order by lineage_key, number, starts_at desc, purchased_at desc, transaction_id desc, product_id desc
    )

    select cohort_day, app_id, store, month_number, currency, denominator, count(*), sum(units)
    from latest
    group by 1, 2, 3, 4, 5, 6
$$;

comment on table report.cohorts_sums is 'Kept sums of who paid in which month of their lives, by cohort';
comment on function report.cohorts_sums_as_of is 'The same sums, of some subscriptions or all, as of a seal';

call report.make_reader('cohorts');
