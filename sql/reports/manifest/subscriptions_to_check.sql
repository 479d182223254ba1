-- What the checks look at row by row. Grain: one row; NULL: everything. $1 seal, $2 business date
select report.subscriptions_to_check($1::bigint, $2::date) as subscriptions
