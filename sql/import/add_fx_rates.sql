-- Adds exchange rates that are not held as they are. A rate that lies more than 20 % from the publication before, in the
-- file or held, goes in flagged.
-- Grain: one row per rate that goes in; note says what it replaces or how far it moved, NULL where neither.
-- $1 run, $2 line numbers, $3 sources, $4 bases, $5 currencies, $6 days, $7 rates (NULL: not quoted that day)
with given as (
    select
        line.line_no, line.source, line.base, line.currency, line.rate_date::date, line.rate::numeric,
        lag(line.rate_date::date) over earlier as file_date, lag(line.rate::numeric) over earlier as file_rate
    from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
        as line (line_no, source, base, currency, rate_date, rate)
    window earlier as (partition by line.source, line.base, line.currency order by line.rate_date::date)
),

fresh as (
    select
        given.*, stored.recorded_run_id is not null as is_stored, stored.rate as stored_rate,
        case when given.file_rate is not null and given.file_date >= coalesce(published.rate_date, '-infinity')
            then given.file_rate else published.rate end as rate_before
    from given
    left join lateral (
        select known.rate, known.recorded_run_id
        from subledger.fx_rates known
        where known.source = given.source
            and known.base = given.base
            and known.currency = given.currency
            and known.rate_date = given.rate_date
        order by known.recorded_run_id desc
        limit 1
    ) stored on true
    left join lateral (
        select known.rate, known.rate_date
        from subledger.fx_rates known
        where known.source = given.source
            and known.base = given.base
            and known.currency = given.currency
            and known.rate_date < given.rate_date
            and known.rate is not null
        order by known.rate_date desc, known.recorded_run_id desc
        limit 1
    ) published on true
    where stored.recorded_run_id is null or stored.rate is distinct from given.rate
),

flagged as (
    select *, coalesce(abs(rate - rate_before) > 0.2 * rate_before, false) as is_flagged from fresh
),

written as (
    insert into subledger.fx_rates (source, base, currency, rate_date, rate, is_flagged, recorded_run_id)
    select source, base, currency, rate_date, rate, is_flagged, $1::bigint from flagged
)

select
    line_no,
    nullif(concat_ws(
        '; ',
        case when is_stored then currency || ': ' || coalesce('replaces ' || trim_scale(stored_rate), 'was not quoted') end,
        case when is_flagged then currency || ' moved from ' || trim_scale(rate_before) || ' to ' || trim_scale(rate)
            || ' in a day: kept, flagged' end
    ), '') as note
from flagged
order by line_no, currency
