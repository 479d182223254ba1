-- tenure.csv. Grain: see the view.
declare report_rows no scroll cursor for
select *
from tenure
order by month, app_id collate "C", store collate "C", product_id collate "C", customer collate "C", tenure
