-- refund_rates.csv. Grain: see the view. $1 seal, $2 first day, $3 last day, $4 time zone
declare report_rows no scroll cursor for
select *
from report.refund_rates_as_of($1::bigint, $2::date, $3::date, $4::text)
order by month, app_id collate "C", store collate "C", product_id collate "C", currency collate "C"
