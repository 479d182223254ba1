-- As of an instant: the last run sealed before the first one whose clock is after it, in the order of seals. A run that is
-- sealed late, with an earlier clock, is seen only as of later instants.
-- Grain: one row, none when there is none. $1 instant
with sealed as (
    select run_id, job, business_date, logical_now, seal
    from subledger.runs
    where seal is not null and job in ('nightly', 'notifications', 'intake', 'report')
)

select run_id, job, business_date, logical_now, seal
from sealed
where seal < coalesce(
    (select min(later.seal) from sealed later where later.logical_now > $1::timestamptz), 9223372036854775807
)
order by seal desc
limit 1
