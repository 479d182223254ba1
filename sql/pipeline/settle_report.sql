-- The report of a day is written: no night owes it any more. Grain: one row per run. $1 business date, $2 the report's seal
update subledger.runs set report_due = false
where business_date = $1::date and seal <= $2::bigint and report_due
