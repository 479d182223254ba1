-- How many of those who first paid in a month still pay N months later? Pivot table: month_start down, month_number across, retention.
-- One row per month of the first payment and month number. Empty until the whole cohort has reached that month.
select
    cohorts.cohort_month_start as month_start, cohorts.month_number, sum(cohorts.cohort_size) as customers,
    sum(cohorts.paid) as paid, round(sum(cohorts.paid) / nullif(sum(cohorts.cohort_size), 0), 4) as retention
from report.cohorts
where cohorts.paid is not null
group by cohorts.cohort_month_start, cohorts.month_number
order by cohorts.cohort_month_start, cohorts.month_number
