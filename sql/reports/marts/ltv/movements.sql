-- What the rows at hand add to the days: those that came count, those that went are taken out.
insert into ltv_monthly as stored (
    cohort_day, app_id, store, currency, days, rows, lineages, micros, reporting_micros, unconverted
)
select *
from (
    select
        cohort_day, app_id, store, currency, days, sum(sign) as rows, sum(sign * lineages) as lineages,
        sum(sign * micros) as micros, sum(sign * reporting_micros) as reporting_micros,
        sum(sign * unconverted) as unconverted
    from pg_temp.changed_lifetime_values
    group by cohort_day, app_id, store, currency, days
) moved
where (rows, lineages, micros, reporting_micros, unconverted) <> (0, 0, 0, 0, 0)
on conflict (cohort_day, app_id, store, currency, days) do update set
    rows = stored.rows + excluded.rows,
    lineages = stored.lineages + excluded.lineages,
    micros = stored.micros + excluded.micros,
    reporting_micros = stored.reporting_micros + excluded.reporting_micros,
    unconverted = stored.unconverted + excluded.unconverted;

delete from ltv_monthly where rows = 0;
