-- What the rows at hand add to the days: those that came count, those that went are taken out.
--
-- Within a service period every microsecond earns the same: a rate, money ÷ length, to 44 digits of a micro, of which whole days
-- and parts of days are multiples. What that leaves over is earned with the last day, so that a period comes to its money exactly;
-- and sums of such multiples are exact, in whatever order they are added and taken out. No sum of a billion periods of ten years is
-- off by 10^-20 of a micro, which is what nearest_whole_of takes for a half.
--
-- A step is its first day, the day after it, the day on which its period begins (where the money came earlier), the first and the
-- last of the period's whole days, and the day on which it ends: six rows at most, whose rates are added up from day to day, instead of
-- a row a day.

-- Steps that are not the same as before. Grain: one row per step. slice: its app, store, product and currency.
create temp table recognition_spans on commit drop as
select
    step.slice, sum(step.sign)::bigint as sign, step.app_id, step.store, step.product_id, step.currency, step.zone, step.day,
    -- An entry has its own day; after it the days of the period, up to the next entry's.
    greatest(step.day, least(step.next_day - 1, step.last_day)) as until_day,
    step.first_day, step.last_day, step.length_us, marts.microseconds(step.starts_at) as starts_us,
    marts.microseconds(step.ends_at) as ends_us, step.micros, step.micros_before, step.reporting_micros,
    step.reporting_micros_before
from (
    select changed.*, dense_rank() over (order by app_id, store, product_id, currency) as slice
    from pg_temp.changed_recognition_steps changed
) step
group by
    step.slice, step.subscription_key, step.transaction_id, step.product_id, step.app_id, step.store, step.currency, step.day,
    step.next_day, step.starts_at, step.ends_at, step.first_day, step.last_day, step.length_us, step.zone, step.micros,
    step.micros_before, step.reporting_micros, step.reporting_micros_before
having sum(step.sign) <> 0;

analyze pg_temp.recognition_spans;

-- When each day ends, in each zone, and how long it is. Grain: one row per zone and day.
create temp table day_ends on commit drop as
select
    bound.zone, bound.day, bound.ends_us, bound.ends_us - lag(bound.ends_us) over (partition by bound.zone order by bound.day) as length_us
from (
    select range.zone, day::date as day, marts.microseconds((day + interval '1 day') at time zone range.zone) as ends_us
    from (
        select zone, min(day) - 2 as first_day, max(until_day) as last_day from pg_temp.recognition_spans group by zone
    ) range
    cross join lateral generate_series(range.first_day::timestamp, range.last_day::timestamp, interval '1 day') day
) bound;

create index on pg_temp.day_ends (zone, day);
analyze pg_temp.day_ends;

insert into recognised_daily as stored (
    day, app_id, store, product_id, currency, parts, billed, earned, billed_reporting, earned_reporting, unconverted
)
select *
from (
    with rated as (
        select
            span.*, marts.earning_rate(span.micros, span.length_us) as rate,
            coalesce(marts.earning_rate(span.reporting_micros, span.length_us), 0) as reporting_rate,
            coalesce(span.reporting_micros, 0) as reporting,
            coalesce(span.reporting_micros_before, 0) as reporting_before,
            (span.reporting_micros is null)::integer as unconverted,
            marts.served_us(eve.ends_us, span.starts_us, span.ends_us, span.length_us) as served_before_us,
            marts.served_us(on_day.ends_us, span.starts_us, span.ends_us, span.length_us) as served_us
        from pg_temp.recognition_spans span
        join pg_temp.day_ends on_day on on_day.zone = span.zone and on_day.day = span.day
        join pg_temp.day_ends eve on eve.zone = span.zone and eve.day = span.day - 1
    ),

    -- turn: from this day on (1), and no more from it on (-1), the rate is earned all day long.
    events as (
        select
            span.slice, span.zone, event.day, span.sign * event.parts as parts, span.sign * event.unconverted as unconverted,
            span.sign * event.billed as billed, span.sign * event.billed_reporting as billed_reporting,
            span.sign * event.earned as earned, span.sign * event.earned_reporting as earned_reporting,
            span.sign * event.turn * span.rate as rate, span.sign * event.turn * span.reporting_rate as reporting_rate
        from rated span
        left join pg_temp.day_ends opening
            on opening.zone = span.zone and opening.day = span.first_day and span.first_day > span.day
        left join pg_temp.day_ends closing
            on closing.zone = span.zone and closing.day = span.last_day - 1 and span.last_day > span.day
        cross join lateral (
            select
                greatest(span.day, span.first_day) + 1 as first_whole_day,
                least(span.until_day, span.last_day - 1) as last_whole_day,
                marts.served_us(closing.ends_us, span.starts_us, span.ends_us, span.length_us) as served_by_last_us
        ) days
        cross join lateral (
            values
                (
                    span.day, 1, span.unconverted, span.micros - span.micros_before, span.reporting - span.reporting_before,
                    marts.earned_by(span.micros, span.rate, span.served_us, span.length_us)
                        - marts.earned_by(
                            span.micros_before, marts.earning_rate(span.micros_before, span.length_us),
                            span.served_before_us, span.length_us),
                    marts.earned_by(span.reporting, span.reporting_rate, span.served_us, span.length_us)
                        - marts.earned_by(
                            span.reporting_before, marts.earning_rate(span.reporting_before, span.length_us),
                            span.served_before_us, span.length_us),
                    0
                ),
                (span.until_day + 1, -1, -span.unconverted, 0, 0, 0, 0, 0),
                (
                    case when opening.day < span.last_day and opening.day <= span.until_day then opening.day end, 0, 0, 0, 0,
                    span.rate * (opening.ends_us - span.starts_us),
                    span.reporting_rate * (opening.ends_us - span.starts_us), 0
                ),
                (
                    case when days.first_whole_day <= days.last_whole_day then days.first_whole_day end, 0, 0, 0, 0, 0, 0, 1
                ),
                (
                    case when days.first_whole_day <= days.last_whole_day then days.last_whole_day + 1 end, 0, 0, 0, 0, 0, 0, -1
                ),
                (
                    case when span.last_day > span.day and span.last_day <= span.until_day then span.last_day end, 0, 0, 0, 0,
                    span.micros - span.rate * days.served_by_last_us,
                    span.reporting - span.reporting_rate * days.served_by_last_us, 0
                )
        ) event (day, parts, unconverted, billed, billed_reporting, earned, earned_reporting, turn)
        where event.day is not null
    ),

    turns as (
        select
            slice, zone, day, sum(parts) as parts, sum(unconverted) as unconverted, sum(billed) as billed,
            sum(billed_reporting) as billed_reporting, sum(earned) as earned, sum(earned_reporting) as earned_reporting,
            sum(rate) as rate, sum(reporting_rate) as reporting_rate
        from events
        group by slice, zone, day
    ),

    stretches as (
        select
            slice, zone, day, lead(day, 1, day + 1) over line as next_day, billed, billed_reporting, earned, earned_reporting,
            sum(parts) over line as parts, sum(unconverted) over line as unconverted, sum(rate) over line as rate,
            sum(reporting_rate) over line as reporting_rate
        from turns
        window line as (partition by slice order by day)
    ),

    daily as (
        select
            stretch.slice, stretch.day + number as day, stretch.parts, stretch.unconverted,
            case when number = 0 then stretch.billed else 0 end as billed,
            case when number = 0 then stretch.billed_reporting else 0 end as billed_reporting,
            case when number = 0 then stretch.earned else 0 end + stretch.rate * on_day.length_us as earned,
            case when number = 0 then stretch.earned_reporting else 0 end + stretch.reporting_rate * on_day.length_us
                as earned_reporting
        from stretches stretch
        cross join lateral generate_series(0, stretch.next_day - stretch.day - 1) number
        join pg_temp.day_ends on_day on on_day.zone = stretch.zone and on_day.day = stretch.day + number
    )

    select
        daily.day, slice.app_id, slice.store, slice.product_id, slice.currency, daily.parts::bigint as parts, daily.billed,
        trim_scale(daily.earned) as earned, daily.billed_reporting, trim_scale(daily.earned_reporting) as earned_reporting,
        daily.unconverted::bigint as unconverted
    from daily
    join (select distinct slice, app_id, store, product_id, currency from pg_temp.recognition_spans) slice using (slice)
) moved
where (parts, billed, earned, billed_reporting, earned_reporting, unconverted) <> (0, 0, 0, 0, 0, 0)
on conflict (app_id, store, product_id, currency, day) do update set
    parts = stored.parts + excluded.parts,
    billed = stored.billed + excluded.billed,
    earned = trim_scale(stored.earned + excluded.earned),
    billed_reporting = stored.billed_reporting + excluded.billed_reporting,
    earned_reporting = trim_scale(stored.earned_reporting + excluded.earned_reporting),
    unconverted = stored.unconverted + excluded.unconverted;

delete from recognised_daily where parts = 0;

drop table pg_temp.recognition_spans, pg_temp.day_ends;
