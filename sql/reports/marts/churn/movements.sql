-- What the rows at hand add to the days: those that came count, those that went are taken out.
insert into churn_daily as stored (
    day, app_id, store, product_id, event, lineages
)
select event.day, period.app_id, period.store, period.product_id, event.name, sum(period.sign * event.change)::bigint
from pg_temp.changed_paid_periods period
cross join lateral (
    values
        (start_day + 1, 'opened', 1),
        (end_day + 1, 'opened', -1),
        (
            end_day, case when segment_start_day = end_day then 'brief ' else '' end || outcome,
            case when is_last then 1 end
        )
) event (day, name, change)
where event.change is not null and isfinite(event.day)
group by event.day, period.app_id, period.store, period.product_id, event.name
having sum(period.sign * event.change) <> 0
on conflict (day, app_id, store, product_id, event) do update set
    lineages = stored.lineages + excluded.lineages;

delete from churn_daily where lineages = 0;
