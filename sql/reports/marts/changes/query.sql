-- changes.csv. Grain: see the view.
declare report_rows no scroll cursor for
select *
from changes
order by date, app_id collate "C", product_id collate "C", figure collate "C"
