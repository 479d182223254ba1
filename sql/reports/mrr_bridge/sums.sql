-- The movements of MRR by day, as exact fractions.
-- Grain: one row per day, app, store, product, currency, bucket and denominator. Σ units ÷ denominator is the movement in
-- micros; every change is in lowest terms, so that the same changes make the same rows whatever else was sold.
drop table if exists report.mrr_bridge_sums cascade;
create table report.mrr_bridge_sums (
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    currency text not null,
    bucket text not null,
    denominator numeric not null,
    units numeric not null,
    changes bigint not null,
    primary key (day, app_id, store, product_id, currency, bucket, denominator)
);

create or replace function report.mrr_bridge_sums_as_of(seal bigint, subscriptions bigint[], time_zone text)
returns setof report.mrr_bridge_sums
language sql stable
set enable_nestloop = off
set jit = off
as $$
    select
        day, app_id, store, product_id, currency, bucket, div(scale, part), sum(div(units, part)), count(*)
    from (
        select movement.*, gcd(movement.units, movement.scale) as part
        from report.mrr_movements_as_of(
            mrr_bridge_sums_as_of.seal, mrr_bridge_sums_as_of.time_zone, mrr_bridge_sums_as_of.subscriptions
        ) movement
        where isfinite(movement.day)
        offset 0
    ) reduced
    group by 1, 2, 3, 4, 5, 6, 7
$$;

comment on table report.mrr_bridge_sums is 'Kept sums of the MRR bridge''s movements, as exact fractions of a micro';
comment on function report.mrr_bridge_sums_as_of is 'The same sums, of some subscriptions or all, as of a seal';

call report.make_reader('mrr_bridge');
