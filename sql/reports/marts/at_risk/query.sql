-- at_risk.csv. Grain: see the view.
declare report_rows no scroll cursor for
select *
from at_risk
order by
    app_id collate "C", store collate "C", product_id collate "C", state collate "C", currency collate "C" nulls first,
    length(days_at_risk), days_at_risk collate "C"
