-- renewals.csv. Grain: see the view.
declare report_rows no scroll cursor for
select *
from renewals
order by
    date, app_id collate "C", store collate "C", product_id collate "C", country collate "C" nulls first,
    currency collate "C" nulls first, amount_source collate "C"
