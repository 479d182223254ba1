-- What the rows at hand add to the days: those that came count, those that went are taken out.
insert into ltv_monthly as held (
    cohort_day, app_id, store, currency, days, rows, lineages, micros
)
select cohort_day, app_id, store, currency, days, sum(sign), sum(sign * lineages), sum(sign * micros)
from changed_lifetime_values
group by cohort_day, app_id, store, currency, days
having sum(sign) <> 0 or sum(sign * lineages) <> 0 or sum(sign * micros) <> 0
on conflict (cohort_day, app_id, store, currency, days) do update set
    rows = held.rows + excluded.rows,
    lineages = held.lineages + excluded.lineages,
    micros = held.micros + excluded.micros;

delete from ltv_monthly where rows = 0;
