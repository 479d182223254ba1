-- What the rows at hand add to the days: those that came count, those that went are taken out.
insert into mrr_in_force_daily as stored (
    day, app_id, store, product_id, currency, country, purchase_day, has_paid_a_year, is_tax_stated, are_proceeds_reported,
    steps, number, nanos, net_nanos, proceeds_nanos, reporting_nanos, net_reporting_nanos, proceeds_reporting_nanos, unconverted
)
select *
from (
    select
        step.day, app_id, store, product_id, currency, coalesce(country, '') as country,
        (purchased_at at time zone 'UTC')::date as purchase_day,
        mrr_proceeds_nanos is null and has_paid_a_year as has_paid_a_year, mrr_net_nanos is not null as is_tax_stated,
        mrr_proceeds_nanos is not null as are_proceeds_reported,
        sum(sign) as steps,
        sum(sign * step.change) as number,
        sum(sign * step.change * mrr_nanos) as nanos,
        sum(sign * step.change * coalesce(mrr_net_nanos, 0)) as net_nanos,
        sum(sign * step.change * coalesce(mrr_proceeds_nanos, 0)) as proceeds_nanos,
        sum(sign * step.change * coalesce(mrr_reporting_nanos, 0)) as reporting_nanos,
        sum(sign * step.change * coalesce(mrr_net_reporting_nanos, 0)) as net_reporting_nanos,
        sum(sign * step.change * coalesce(mrr_proceeds_reporting_nanos, 0)) as proceeds_reporting_nanos,
        sum(sign * step.change * (mrr_reporting_nanos is null)::integer) as unconverted
    from pg_temp.changed_paid_periods
    cross join lateral (values (start_day, 1), (end_day, -1)) step (day, change)
    where mrr_nanos is not null and isfinite(step.day)
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
) moved
where (steps, number, nanos, net_nanos, proceeds_nanos, reporting_nanos, net_reporting_nanos, proceeds_reporting_nanos,
    unconverted) <> (0, 0, 0, 0, 0, 0, 0, 0, 0)
on conflict (
    day, app_id, store, product_id, currency, country, purchase_day, has_paid_a_year, is_tax_stated, are_proceeds_reported
) do update set
    steps = stored.steps + excluded.steps,
    number = stored.number + excluded.number,
    nanos = stored.nanos + excluded.nanos,
    net_nanos = stored.net_nanos + excluded.net_nanos,
    proceeds_nanos = stored.proceeds_nanos + excluded.proceeds_nanos,
    reporting_nanos = stored.reporting_nanos + excluded.reporting_nanos,
    net_reporting_nanos = stored.net_reporting_nanos + excluded.net_reporting_nanos,
    proceeds_reporting_nanos = stored.proceeds_reporting_nanos + excluded.proceeds_reporting_nanos,
    unconverted = stored.unconverted + excluded.unconverted;

delete from mrr_in_force_daily where steps = 0;
