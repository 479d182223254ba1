-- $1 table
call report.empty_table($1::text)
