-- What the rows at hand add to the days: those that came count, those that went are taken out.
insert into tenure_daily as stored (
    day, app_id, store, product_id, customer, tenure, figure, lineages
)
select day, app_id, store, product_id, customer, tenure, figure, sum(change)::bigint
from (
    select
        step.day, period.app_id, period.store, period.product_id, period.customer, period.tenure, 'active' as figure,
        period.sign * step.change as change
    from pg_temp.changed_paid_periods period
    cross join lateral (values (period.start_day, 1), (period.end_day, -1)) step (day, change)
    where isfinite(step.day)
    union all
    select day, app_id, store, product_id, customer, tenure, figure, sign
    from pg_temp.changed_monthly_outcomes
    where tenure is not null
) moved
group by day, app_id, store, product_id, customer, tenure, figure
having sum(change) <> 0
on conflict (day, app_id, store, product_id, customer, tenure, figure) do update set
    lineages = stored.lineages + excluded.lineages;

delete from tenure_daily where lineages = 0;
