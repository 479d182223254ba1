-- Refunds and what was taken back of them.
-- Grain: one row per day, app, store, product, currency and kind, as in the report. entries: of the ledger; refunds: given,
-- less those wholly taken back; micros as booked, negative where money was given back.
drop table if exists report.refunds_sums cascade;
create table report.refunds_sums (
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    currency text not null,
    kind text not null,
    entries bigint not null,
    refunds bigint not null,
    micros numeric not null,
    primary key (day, app_id, store, product_id, currency, kind)
);

create or replace function report.refunds_sums_as_of(seal bigint, subscriptions bigint[], time_zone text)
returns setof report.refunds_sums
language sql stable
set enable_nestloop = off
set jit = off
as $$
    with entries as (
        select
            entry.*,
            sum(entry.amount_micros) filter (where entry.kind in ('charge', 'correction')) over (
                partition by entry.subscription_key, entry.transaction_id, entry.product_id order by entry.seq
            ) as price_micros
        from subledger.ledger_as_of(refunds_sums_as_of.seal, refunds_sums_as_of.subscriptions) entry
    ),

    dated as (
        select
            report.day_of(entry.occurred_at, sold.store, refunds_sums_as_of.time_zone) as day,
            sold.app_id, sold.store, sold.product_id, entry.currency, entry.amount_micros,
            case
                when entry.kind = 'refund_reversal' then 'reversal'
                when -entry.amount_micros >= entry.price_micros then 'full'
                else 'partial'
            end as kind,
            case when entry.kind = 'refund' then 1 else -coalesce(cleared.refunds_taken_back, 0) end as refunds
        from entries entry
        join subledger.transactions_as_of(refunds_sums_as_of.seal, refunds_sums_as_of.subscriptions) sold
            on sold.subscription_key = entry.subscription_key
            and sold.transaction_id = entry.transaction_id
            and sold.product_id = entry.product_id
        left join report.cleared_refunds_as_of(refunds_sums_as_of.seal, refunds_sums_as_of.subscriptions) cleared
            on cleared.subscription_key = entry.subscription_key
            and cleared.transaction_id = entry.transaction_id
            and cleared.product_id = entry.product_id
            and cleared.seq = entry.seq
        where entry.kind in ('refund', 'refund_reversal')
    )

    select day, app_id, store, product_id, currency, kind, count(*), sum(refunds)::bigint, sum(amount_micros)
    from dated
    group by day, app_id, store, product_id, currency, kind
$$;

comment on table report.refunds_sums is 'Kept sums of the refunds by day';
comment on function report.refunds_sums_as_of is 'The same sums, of some subscriptions or all, as of a seal';

call report.make_reader('refunds');
