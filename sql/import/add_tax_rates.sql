-- Adds tax rates that are not held as they are.
-- Grain: one row per line that goes in; note says what it replaces, NULL where nothing was held.
-- $1 run, $2 line numbers, $3 countries, $4 rates, $5 whether prices include them, $6 first days
with given as (
    select line.line_no, line.country, line.rate::numeric, line.is_inclusive::boolean,
        coalesce(line.valid_from, '-infinity')::date as valid_from
    from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[])
        as line (line_no, country, rate, is_inclusive, valid_from)
),

stored as (
    select distinct on (country, valid_from) *
    from subledger.tax_rates
    order by country, valid_from, recorded_run_id desc
),

fresh as (
    select given.*, stored.rate as old_rate, stored.is_inclusive as was_inclusive
    from given
    left join stored on stored.country = given.country and stored.valid_from = given.valid_from
    where (stored.rate, stored.is_inclusive) is distinct from (given.rate, given.is_inclusive)
),

written as (
    insert into subledger.tax_rates (country, rate, is_inclusive, valid_from, recorded_run_id)
    select country, rate, is_inclusive, valid_from, $1::bigint from fresh
)

select
    line_no,
    'replaces ' || trim_scale(old_rate) || case when was_inclusive then ' included' else ' not included' end as note
from fresh
order by line_no
