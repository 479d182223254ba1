-- Charges and what became of them, by the day it happened and the month of the charge.
-- Grain: one row per day, month of the charge, app, store, product and currency. given_back: charges of which something
-- came to be given back on the day, less those whose refunds were wholly taken back. Sums in micros.
drop table if exists report.refund_rates_sums cascade;
create table report.refund_rates_sums (
    day date not null,
    charge_month date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    currency text not null,
    charges bigint not null,
    refunds bigint not null,
    given_back bigint not null,
    charged_micros numeric not null,
    refunded_micros numeric not null,
    primary key (day, charge_month, app_id, store, product_id, currency)
);

create or replace function report.refund_rates_sums_as_of(seal bigint, subscriptions bigint[], time_zone text)
returns setof report.refund_rates_sums
language sql stable
set enable_nestloop = off
set jit = off
as $$
    with lines as (
        select
            entry.*,
            entry.kind in ('refund', 'refund_reversal') as is_refund,
            date_trunc(
                'month', (min(entry.day) filter (where entry.kind = 'charge') over (
                    partition by entry.subscription_key, entry.transaction_id, entry.sold_product_id
                ))::timestamp
            )::date as charge_month,
            coalesce(-sum(entry.amount_micros) filter (where entry.kind in ('refund', 'refund_reversal')) over (
                partition by entry.subscription_key, entry.transaction_id, entry.sold_product_id order by entry.seq
            ), 0) as given_back_micros
        from report.movements_as_of(
            refund_rates_sums_as_of.seal, refund_rates_sums_as_of.time_zone, refund_rates_sums_as_of.subscriptions
        ) entry
    )

    select
        day, charge_month, app_id, store, product_id, currency,
        count(*) filter (where kind = 'charge'),
        (count(*) filter (where kind = 'refund') - sum(refunds_taken_back))::bigint,
        (
            count(*) filter (where is_refund and given_back_micros > 0)
            - count(*) filter (where is_refund and given_back_micros + amount_micros > 0)
        )::bigint,
        coalesce(sum(amount_micros) filter (where not is_refund), 0),
        coalesce(-sum(amount_micros) filter (where is_refund), 0)
    from lines
    group by 1, 2, 3, 4, 5, 6
$$;

comment on table report.refund_rates_sums is 'Kept sums of charges and refunds, which the refund rates are made from';
comment on function report.refund_rates_sums_as_of is 'The same sums, of some subscriptions or all, as of a seal';

call report.make_reader('refund_rates');
