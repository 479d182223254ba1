-- How many microseconds ago the first night of a business date began, by the database's clock. Grain: one row; NULL where none did.
-- $1 business date
select (extract(epoch from clock_timestamp() - min(run.started_at)) * 1000000)::bigint as micros
from subledger.runs run
where run.job = 'nightly' and run.business_date = $1::date
