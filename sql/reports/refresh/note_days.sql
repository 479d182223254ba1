-- Remembers the days on which a refresh moves money, paid periods, statuses or what is recognised: the checks of totals look
-- at them. A row that comes as it went moves nothing. $1 seal
with moved as (
    select moved.day
    from changed_money_movements moved
    group by moved.day, to_jsonb(moved) - 'sign'
    having sum(moved.sign) <> 0
    union
    select step.day
    from (
        select min(moved.start_day) as start_day, min(moved.end_day) as end_day
        from changed_paid_periods moved
        group by to_jsonb(moved) - 'sign'
        having sum(moved.sign) <> 0
    ) period
    cross join lateral (values (period.start_day), (period.end_day)) step (day)
    union
    select step.day
    from (
        select min(moved.from_day) as from_day, min(moved.until_day) as until_day
        from changed_status_intervals moved
        group by to_jsonb(moved) - 'sign'
        having sum(moved.sign) <> 0
    ) status
    cross join lateral (values (status.from_day), (status.until_day)) step (day)
    union
    select moved.day
    from changed_recognition_steps moved
    group by moved.day, to_jsonb(moved) - 'sign'
    having sum(moved.sign) <> 0
)

insert into report.moved_days (seal, day)
select $1::bigint, moved.day
from moved
where isfinite(moved.day)
on conflict do nothing
