-- Who came to stand where, and who left, by day: the subscribers and the at-risk report are running sums of it.
-- Grain: one row per day, app, store, product, standing, currency and denominator. lineages: came less left; Σ units ÷
-- denominator is their MRR in micros, every lineage's in lowest terms; the currency is empty where their money is unknown.
drop table if exists report.subscribers_sums cascade;
create table report.subscribers_sums (
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    standing text not null,
    currency text not null,
    denominator numeric not null,
    lineages bigint not null,
    units numeric not null,
    primary key (day, app_id, store, product_id, standing, currency, denominator)
);

create or replace function report.subscribers_sums_as_of(seal bigint, subscriptions bigint[], time_zone text)
returns setof report.subscribers_sums
language sql stable
set enable_nestloop = off
set jit = off
as $$
    select
        step.day, reduced.app_id, reduced.store, reduced.product_id, reduced.standing, reduced.currency,
        reduced.denominator, sum(step.change)::bigint, sum(step.change * reduced.units)
    from (
        select
            standing.app_id, standing.store, standing.product_id, standing.standing, standing.from_day,
            standing.until_day,
            case when standing.units is not null then standing.currency else '' end as currency,
            coalesce(div(standing.scale, gcd(standing.units, standing.scale)), 1) as denominator,
            coalesce(div(standing.units, gcd(standing.units, standing.scale)), 0) as units
        from report.standings_as_of(
            subscribers_sums_as_of.seal, subscribers_sums_as_of.time_zone, subscribers_sums_as_of.subscriptions
        ) standing
        offset 0
    ) reduced
    cross join lateral (values (reduced.from_day, 1), (reduced.until_day, -1)) step (day, change)
    where isfinite(step.day)
    group by 1, 2, 3, 4, 5, 6, 7
    having sum(step.change) <> 0 or sum(step.change * reduced.units) <> 0
$$;

comment on table report.subscribers_sums is 'Kept sums of who came to stand where and who left, by day';
comment on function report.subscribers_sums_as_of is 'The same sums, of some subscriptions or all, as of a seal';

call report.make_reader('subscribers');
