-- Adds exchange rates that are not held as they are. A rate that lies more than 20 % from the publication before, in the
-- file or held, goes in flagged.
-- Grain: one row per rate that goes in; note says what it replaces or how far it moved, NULL where neither.
-- $1 run, $2 line numbers, $3 sources, $4 bases, $5 currencies, $6 days, $7 rates (NULL: not quoted that day)
with given as materialized (
    select line.line_no, line.source, line.base, line.currency, line.rate_date::date as rate_date, line.rate::numeric as rate
    from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
        as line (line_no, source, base, currency, rate_date, rate)
),

spans as (
    select source, base, currency, min(rate_date) as first_day, max(rate_date) as last_day
    from given
    group by source, base, currency
),

-- What is held of the same days and of those between them: read by currency, not by rate.
stored as materialized (
    select distinct on (known.source, known.base, known.currency, known.rate_date)
        known.source, known.base, known.currency, known.rate_date, known.rate
    from spans
    join subledger.fx_rates known
        on known.source = spans.source
        and known.base = spans.base
        and known.currency = spans.currency
        and known.rate_date between spans.first_day and spans.last_day
    order by known.source, known.base, known.currency, known.rate_date, known.recorded_run_id desc
),

earlier as (
    select spans.source, spans.base, spans.currency, published.rate_date, published.rate
    from spans
    cross join lateral (
        select known.rate, known.rate_date
        from subledger.fx_rates known
        where known.source = spans.source
            and known.base = spans.base
            and known.currency = spans.currency
            and known.rate_date < spans.first_day
            and known.rate is not null
        order by known.rate_date desc, known.recorded_run_id desc
        limit 1
    ) published
),

-- By day, what the file says beside what is held: summed up, for joins of lists whose lengths are unknown are planned badly.
published as (
    select
        source, base, currency, rate_date, max(line_no) as line_no, bool_or(is_stored) as is_stored,
        max(rate) filter (where is_stored) as stored_rate, max(rate) filter (where not is_stored) as given_rate,
        case when max(line_no) is null then max(rate) else max(rate) filter (where line_no is not null) end as rate
    from (
        select source, base, currency, rate_date, rate, null::bigint as line_no, false as is_stored from earlier
        union all
        select source, base, currency, rate_date, rate, null, true from stored
        union all
        select source, base, currency, rate_date, rate, line_no, false from given
    ) known
    group by source, base, currency, rate_date
),

counted as (
    select
        published.*,
        count(rate) over (partition by source, base, currency order by rate_date) as quotations
    from published
),

-- The last rate that was quoted by each day, and by the one before.
carried as (
    select
        counted.*,
        first_value(rate) over (partition by source, base, currency, quotations order by rate_date) as last_rate
    from counted
),

followed as (
    select
        carried.*,
        lag(last_rate) over (partition by source, base, currency order by rate_date) as rate_before
    from carried
),

flagged as (
    select
        followed.*, coalesce(abs(rate - rate_before) > 0.2 * rate_before, false) as is_flagged
    from followed
    where line_no is not null and (not is_stored or stored_rate is distinct from given_rate)
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
