-- What the rows at hand add to the days: those that came count, those that went are taken out.
insert into countries_daily as stored (
    day, app_id, store, product_id, country, currency, figure, rows, number, nanos, reporting_nanos, unconverted
)
select *
from (
    select
        day, app_id, store, product_id, country, currency, figure, sum(sign) as rows, sum(sign * number) as number,
        sum(sign * nanos) as nanos, sum(sign * reporting_nanos) as reporting_nanos, sum(sign * unconverted) as unconverted
    from (
        select
            period.sign, step.day, period.app_id, period.store, period.product_id, coalesce(period.country, '') as country,
            coalesce(period.currency, '') as currency, step.figure, step.number,
            case when step.figure = 'active' then step.number * coalesce(period.mrr_nanos, 0) else 0 end as nanos,
            case when step.figure = 'active' then step.number * coalesce(period.mrr_reporting_nanos, 0) else 0 end
                as reporting_nanos,
            case
                when step.figure = 'active' and period.mrr_nanos is not null and period.mrr_reporting_nanos is null
                    then step.number
                else 0
            end as unconverted
        from pg_temp.changed_paid_periods period
        cross join lateral (
            values
                (period.start_day, 'active', 1),
                (period.end_day, 'active', -1),
                (case when period.entry = 'new' then period.start_day end, 'new', 1),
                (
                    case
                        when period.is_last
                            and period.outcome in ('voluntary', 'involuntary', 'price', 'product', 'refund', 'other')
                            then period.end_day
                    end, 'churned', 1
                )
        ) step (day, figure, number)
        where isfinite(step.day)
        union all
        select trial.sign, trial.day, trial.app_id, trial.store, trial.product_id, trial.country, '', counted.figure, 1, 0, 0, 0
        from pg_temp.changed_trial_outcomes trial
        cross join lateral (
            values ('trials_started', true), ('trials_converted', trial.outcome in ('converted', 'refunded'))
        ) counted (figure, is_so)
        where counted.is_so
    ) step
    group by day, app_id, store, product_id, country, currency, figure
) moved
where (rows, number, nanos, reporting_nanos, unconverted) <> (0, 0, 0, 0, 0)
on conflict (day, app_id, store, product_id, country, currency, figure) do update set
    rows = stored.rows + excluded.rows,
    number = stored.number + excluded.number,
    nanos = stored.nanos + excluded.nanos,
    reporting_nanos = stored.reporting_nanos + excluded.reporting_nanos,
    unconverted = stored.unconverted + excluded.unconverted;

delete from countries_daily where rows = 0;
