-- changes.csv. Grain: see the view. $1 seal, $2 first day, $3 last day, $4 time zone
declare report_rows no scroll cursor for
select *
from report.changes_as_of($1::bigint, $2::date, $3::date, $4::text)
order by date, app_id collate "C", product_id collate "C", figure collate "C"
