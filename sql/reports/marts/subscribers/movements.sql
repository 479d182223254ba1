-- What the rows at hand add to the days: those that came count, those that went are taken out.
insert into subscribers_daily as held (
    day, app_id, store, product_id, status, currency, steps, lineages, nanos
)
select
    step.day, stood.app_id, stood.store, stood.product_id, stood.status,
    case when stood.mrr_nanos is not null then stood.currency else '' end, sum(stood.sign),
    sum(stood.sign * step.change), sum(stood.sign * step.change * coalesce(stood.mrr_nanos, 0))
from changed_status_intervals stood
cross join lateral (values (stood.from_day, 1), (stood.until_day, -1)) step (day, change)
where isfinite(step.day)
group by 1, 2, 3, 4, 5, 6
having (sum(stood.sign), sum(stood.sign * step.change), sum(stood.sign * step.change * coalesce(stood.mrr_nanos, 0)))
    <> (0, 0, 0)
on conflict (day, app_id, store, product_id, status, currency) do update set
    steps = held.steps + excluded.steps,
    lineages = held.lineages + excluded.lineages,
    nanos = held.nanos + excluded.nanos;

delete from subscribers_daily where steps = 0;
