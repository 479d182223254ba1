-- cohorts.csv. Grain: see the view.
declare report_rows no scroll cursor for
select *
from cohorts
order by cohort_month, app_id collate "C", store collate "C", month_number
