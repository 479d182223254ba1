-- As of an instant: the last sealed run whose clock is at or before it.
-- Grain: one row, none when there is none. $1 instant
select run_id, job, business_date, logical_now, seal
from subledger.runs
where seal is not null
    and job in ('nightly', 'notifications', 'intake', 'report')
    and logical_now <= $1::timestamptz
order by seal desc
limit 1
