-- The paid periods that begin or end on the days that are looked at. $1 days; NULL: all
insert into pg_temp.period_steps (
    day, app_id, store, product_id, currency, periods, nanos, reporting_nanos, segment_starts, segment_ends, reported_ends
)
select
    step.day, period.app_id, period.store, period.product_id, period.currency,
    sum(step.periods), sum(step.periods * coalesce(period.mrr_nanos, 0)),
    sum(step.periods * coalesce(period.mrr_reporting_nanos, 0)), sum(step.segment_starts), sum(step.segment_ends),
    sum(step.reported_ends)
from paid_periods period
cross join lateral (
    values
        (start_day, 1, 0, 0, 0),
        (end_day, -1, 0, 0, 0),
        (case when is_last then segment_start_day end, 0, 1, 0, 0),
        (
            case when is_last then end_day end, 0, 0, 1,
            case
                when segment_start_day < end_day and outcome in ('paused', 'free', 'replaced', 'retired') then 0
                else 1
            end
        )
) step (day, periods, segment_starts, segment_ends, reported_ends)
where isfinite(step.day)
    and (
        $1::date[] is null
        or step.day = any ($1::date[])
            -- Most periods neither begin nor end on these days: they are not read.
            and (
                start_day = any ($1::date[])
                or end_day = any ($1::date[])
                or (is_last and segment_start_day = any ($1::date[]))
            )
    )
group by step.day, period.app_id, period.store, period.product_id, period.currency
