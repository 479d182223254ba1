-- ltv.csv. Grain: see the view.
declare report_rows no scroll cursor for
select *
from ltv
order by cohort_month, app_id collate "C", store collate "C", currency collate "C", days
