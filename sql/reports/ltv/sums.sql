-- Who first paid when, and what they brought since.
-- Grain: one row per cohort, app, store, currency of the first payment and days. In days 0, lineages that first paid on
-- cohort_day. In 30, 90, 180 and 365 days, the net micros that the lineages of a month, whose first day cohort_day is,
-- brought within so many days of their first payment.
drop table if exists report.ltv_sums cascade;
create table report.ltv_sums (
    cohort_day date not null,
    app_id text not null,
    store text not null,
    currency text not null,
    days integer not null,
    lineages bigint not null,
    micros numeric not null,
    primary key (cohort_day, app_id, store, currency, days)
);

create or replace function report.ltv_sums_as_of(seal bigint, subscriptions bigint[], time_zone text)
returns setof report.ltv_sums
language sql stable
set enable_nestloop = off
set jit = off
as $$
    with lineages as materialized (
        select
            lineage_key, app_id, store, currency, starts_at,
            report.day_of(starts_at, store, ltv_sums_as_of.time_zone) as day
        from report.mrr_pieces_as_of(ltv_sums_as_of.seal, ltv_sums_as_of.subscriptions)
        where entry = 'new' and currency is not null
    ),

    -- By itself: otherwise the planner may first pair lineages with all money of their currency.
    money as materialized (
        select sold.lineage_key, entry.currency, entry.occurred_at, entry.amount_micros
        from subledger.transactions_as_of(ltv_sums_as_of.seal, ltv_sums_as_of.subscriptions) sold
        join subledger.ledger_as_of(ltv_sums_as_of.seal, ltv_sums_as_of.subscriptions) entry
            on entry.subscription_key = sold.subscription_key
            and entry.transaction_id = sold.transaction_id
            and entry.product_id = sold.product_id
        where sold.kind not in ('one_time', 'top_up')
    ),

    entries as (
        select
            date_trunc('month', lineage.day::timestamp)::date as month, lineage.app_id, lineage.store, lineage.currency,
            money.amount_micros, money.occurred_at - lineage.starts_at as age
        from lineages lineage
        join money on money.lineage_key = lineage.lineage_key and money.currency = lineage.currency
    )

    select day, app_id, store, currency, 0, count(*), 0
    from lineages
    group by day, app_id, store, currency
    union all
    select month, app_id, store, currency, span.days, 0, sum(amount_micros)
    from entries
    join (values (30), (90), (180), (365)) span (days) on entries.age < make_interval(days => span.days)
    group by month, app_id, store, currency, span.days
$$;

comment on table report.ltv_sums is 'Kept sums of who first paid when, and of the money that came from them since';
comment on function report.ltv_sums_as_of is 'The same sums, of some subscriptions or all, as of a seal';

call report.make_reader('ltv');
