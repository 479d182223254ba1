-- countries.csv. Grain: see the view.
declare report_rows no scroll cursor for
select *
from countries
order by
    month, app_id collate "C", store collate "C", product_id collate "C", country collate "C" nulls first,
    currency collate "C" nulls first
