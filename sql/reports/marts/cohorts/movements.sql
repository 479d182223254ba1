-- What the rows at hand add to the days: those that came count, those that went are taken out.
insert into cohorts_monthly as stored (
    cohort_day, app_id, store, month_number, currency, lineages, nanos
)
select
    cohort_day, app_id, store, month_number, case when mrr_nanos is not null then currency else '' end, sum(sign),
    sum(sign * coalesce(mrr_nanos, 0))
from pg_temp.changed_cohort_months
group by 1, 2, 3, 4, 5
having sum(sign) <> 0 or sum(sign * coalesce(mrr_nanos, 0)) <> 0
on conflict (cohort_day, app_id, store, month_number, currency) do update set
    lineages = stored.lineages + excluded.lineages,
    nanos = stored.nanos + excluded.nanos;

delete from cohorts_monthly where lineages = 0;
