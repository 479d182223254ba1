-- exclusions.csv. Grain: see the view.
declare report_rows no scroll cursor for
select *
from exclusions
order by date, app_id collate "C", reason collate "C"
