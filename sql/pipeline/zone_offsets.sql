-- How far a time zone is from UTC on the first of each month from 2016 to a year from now, by the server's list of zones.
-- Grain: one row per month. $1 zone
select
    extract(epoch from month)::bigint as at,
    extract(epoch from (month at time zone $1::text) - (month at time zone 'UTC'))::bigint as seconds
from generate_series(
    timestamptz '2016-01-01 00:00Z', date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' + interval '1 year',
    interval '1 month'
) month
order by month
