-- refunds.csv. Grain: see the view.
declare report_rows no scroll cursor for
select *
from refunds
order by
    date, app_id collate "C", store collate "C", product_id collate "C", currency collate "C", kind collate "C"
