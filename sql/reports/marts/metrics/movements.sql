-- What the rows at hand add to the days: those that came count, those that went are taken out.
insert into outcomes_daily as stored (
    day, app_id, store, product_id, currency, figure, rows, number, nanos, reporting_nanos
)
select *
from (
    select
        day, app_id, store, product_id, currency, figure, sum(sign) as rows, sum(sign * number) as number,
        sum(sign * nanos) as nanos, sum(sign * reporting_nanos) as reporting_nanos
    from pg_temp.changed_monthly_outcomes
    group by day, app_id, store, product_id, currency, figure
) moved
where (rows, number, nanos, reporting_nanos) <> (0, 0, 0, 0)
on conflict (day, app_id, store, product_id, currency, figure) do update set
    rows = stored.rows + excluded.rows,
    number = stored.number + excluded.number,
    nanos = stored.nanos + excluded.nanos,
    reporting_nanos = stored.reporting_nanos + excluded.reporting_nanos;

delete from outcomes_daily where rows = 0;
