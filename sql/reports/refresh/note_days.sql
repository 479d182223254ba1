-- Remembers the days on which a refresh moves figures: of money what is booked, recognised and when it is earned, of periods
-- what begins and ends. The checks of totals look at them. What goes and comes alike moves nothing. $1 seal
with steps as (
    select 'money' as figures, day, app_id, store, product_id, currency, kind as step, sign * amount_micros as change
    from pg_temp.changed_money_movements
    union all
    select 'money', day, app_id, store, product_id, currency, part.name, sign * part.change
    from pg_temp.changed_recognition_steps
    cross join lateral (
        values
            ('recognised', micros - micros_before),
            ('service begins', marts.microseconds(starts_at)),
            ('service ends', marts.microseconds(ends_at))
    ) part (name, change)
    union all
    select 'periods', step.day, app_id, store, product_id, currency, step.name, sign * step.change
    from pg_temp.changed_paid_periods
    cross join lateral (
        values
            (start_day, 'paid', 1),
            (end_day, 'paid', -1),
            (start_day, 'mrr', mrr_nanos),
            (end_day, 'mrr', -mrr_nanos),
            (case when is_last then segment_start_day end, 'segment', 1),
            (case when is_last then end_day end, outcome, 1)
    ) step (day, name, change)
    union all
    select 'periods', step.day, app_id, store, product_id, currency, status, sign * step.change
    from pg_temp.changed_status_intervals
    cross join lateral (values (from_day, 1), (until_day, -1)) step (day, change)
),

moved as (
    select figures, day
    from steps
    where isfinite(day)
    group by figures, day, app_id, store, product_id, currency, step
    having sum(change) <> 0
)

insert into marts.moved_days (seal, figures, day)
select distinct $1::bigint, moved.figures, moved.day
from moved
on conflict do nothing
