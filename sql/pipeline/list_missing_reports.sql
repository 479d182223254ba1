-- Days before this one whose night was to write a report and has not: it failed at that, or was cut. The last night of each
-- day that was sealed tells what was known of it.
-- Grain: one row per business date, in the order of seals. $1 business date of the run that asks
select run_id, business_date, logical_now, seal
from (
    select distinct on (business_date) run_id, business_date, logical_now, seal
    from subledger.runs
    where report_due and seal is not null and business_date < $1::date
    order by business_date, seal desc
) last_of_day
order by seal
