-- What the rows at hand add to the days: those that came count, those that went are taken out.
insert into subscribers_daily as stored (
    day, app_id, store, product_id, status, currency, steps, lineages, nanos, reporting_nanos, unconverted, seats
)
select *
from (
    select
        step.day, stood.app_id, stood.store, stood.product_id, stood.status,
        case when stood.mrr_nanos is not null then stood.currency else '' end as currency,
        sum(stood.sign) as steps,
        sum(stood.sign * step.change) as lineages,
        sum(stood.sign * step.change * coalesce(stood.mrr_nanos, 0)) as nanos,
        sum(stood.sign * step.change * coalesce(stood.mrr_reporting_nanos, 0)) as reporting_nanos,
        sum(stood.sign * step.change * (stood.mrr_nanos is not null and stood.mrr_reporting_nanos is null)::integer)
            as unconverted,
        sum(stood.sign * step.change * coalesce(stood.seats, 0)) as seats
    from pg_temp.changed_status_intervals stood
    cross join lateral (values (stood.from_day, 1), (stood.until_day, -1)) step (day, change)
    where isfinite(step.day)
    group by 1, 2, 3, 4, 5, 6
) moved
where (steps, lineages, nanos, reporting_nanos, unconverted, seats) <> (0, 0, 0, 0, 0, 0)
on conflict (day, app_id, store, product_id, status, currency) do update set
    steps = stored.steps + excluded.steps,
    lineages = stored.lineages + excluded.lineages,
    nanos = stored.nanos + excluded.nanos,
    reporting_nanos = stored.reporting_nanos + excluded.reporting_nanos,
    unconverted = stored.unconverted + excluded.unconverted,
    seats = stored.seats + excluded.seats;

delete from subscribers_daily where steps = 0;
