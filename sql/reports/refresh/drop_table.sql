-- $1 table
call report.drop_table($1::text)
