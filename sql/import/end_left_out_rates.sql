-- Says of the currencies that a whole file of a source does not name any more that they are not quoted, from the file's first day after
-- their last rate on; older rates stay.
-- Grain: one row per currency that ends. $1 run, $2 source, $3 base, $4 currencies of the file, $5 its days
with known as (
    select distinct on (rate.currency, rate.rate_date) rate.currency, rate.rate_date, rate.rate
    from subledger.fx_rates rate
    where rate.source = $2::text and rate.base = $3::text and rate.currency <> all ($4::text[])
    order by rate.currency, rate.rate_date, rate.recorded_run_id desc
),

newest as (
    select distinct on (currency) currency, rate_date, rate from known order by currency, rate_date desc
),

ending as (
    select newest.currency, min(file.day) as day
    from newest
    join unnest($5::date[]) as file (day) on file.day > newest.rate_date
    where newest.rate is not null
    group by newest.currency
),

written as (
    insert into subledger.fx_rates (source, base, currency, rate_date, rate, is_flagged, recorded_run_id)
    select $2::text, $3::text, currency, day, null, false, $1::bigint from ending
)

select currency || ' is not in the file: not quoted since ' || day as note
from ending
order by currency
