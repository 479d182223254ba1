-- What the rows at hand add to the days: those that came count, those that went are taken out.
--
-- What is recognised of a transaction up to an instant is its money by then (charge, corrections, refunds) × the part of
-- its service period that has passed, rounded half to even to the micro; a day recognises what that sum gained since the
-- day before, so the days of a charge add up to it exactly. Deferred is the rest at the day's end.
--
-- A build reckons thirty days of every month sold. It does so in whole numbers of 64 bits (price and length are divided by
-- what they have in common, and only what is too long even then is numeric): 24 s of CPU became 6 for 200,000 transactions.
--
-- In the reporting currency both the charge and what is recognised of it by the end of a day are converted at the rate of the
-- purchase, each rounded half to even to the micro: so the days of a charge add up to it there, too.

-- Steps that are not the same as before. Grain: one row per step. slice: its app, store, product and currency.
create temp table recognition_spans on commit drop as
select
    step.slice, sum(step.sign)::bigint as sign, step.app_id, step.store, step.product_id, step.currency, step.zone, step.day,
    -- An entry has its own day; after it the days of the period, up to the next entry's.
    greatest(step.day, least(step.next_day - 1, step.last_day)) as until_day,
    step.micros, step.micros_before, step.length_us, report.microseconds(step.starts_at) as starts_us,
    report.microseconds(step.ends_at) as ends_us, gcd(step.micros, step.length_us) as common,
    rate.numerator / rate.common as rate_numerator, rate.denominator / rate.common as rate_denominator
from (
    select changed.*, dense_rank() over (order by app_id, store, product_id, currency) as slice
    from pg_temp.changed_recognition_steps changed
) step
-- The rate as a fraction of whole numbers.
left join lateral (
    select numerator, denominator, gcd(numerator, denominator) as common
    from (
        select
            step.rate_numerator * shift as numerator, step.rate_denominator * shift as denominator
        from (
            select 10::numeric ^ greatest(min_scale(step.rate_numerator), min_scale(step.rate_denominator)) as shift
        ) scale
    ) whole
) rate on step.rate_numerator is not null
group by
    step.slice, step.subscription_key, step.transaction_id, step.product_id, step.app_id, step.store, step.currency, step.day,
    step.next_day, step.starts_at, step.ends_at, step.last_day, step.length_us, step.zone, step.micros, step.micros_before,
    rate.numerator, rate.denominator, rate.common
having sum(step.sign) <> 0;

analyze pg_temp.recognition_spans;

-- When each day ends, in each zone. Grain: one row per zone and day.
create temp table day_ends on commit drop as
select
    range.zone, day::date as day, report.microseconds((day + interval '1 day') at time zone range.zone) as ends_us
from (select zone, min(day) - 1 as first_day, max(until_day) as last_day from pg_temp.recognition_spans group by zone) range
cross join lateral generate_series(range.first_day::timestamp, range.last_day::timestamp, interval '1 day') day;

analyze pg_temp.day_ends;

insert into recognised_daily as held (
    day, app_id, store, product_id, currency, parts, recognised, deferred, recognised_reporting, deferred_reporting,
    unconverted
)
select *
from (
    with begun as (
        select
            span.*, abs(span.micros) / span.common as share, span.length_us / span.common as whole,
            (abs(span.micros) / span.common)::numeric * span.length_us < 4000000000000000000 as is_short,
            rate.short_numerator, rate.short_denominator,
            report.nearest(
                span.micros_before::numeric
                    * report.served_us(eve.ends_us, span.starts_us, span.ends_us, span.length_us),
                span.length_us
            )::bigint as by_start,
            report.converted_whole(
                span.micros, rate.short_numerator, rate.short_denominator, span.rate_numerator, span.rate_denominator
            ) as micros_reporting
        from pg_temp.recognition_spans span
        join pg_temp.day_ends eve on eve.zone = span.zone and eve.day = span.day - 1
        cross join lateral (
            select
                case when is_short then span.rate_numerator end::bigint as short_numerator,
                case when is_short then span.rate_denominator end::bigint as short_denominator
            from (
                select
                    greatest(abs(span.micros), abs(span.micros_before)) * span.rate_numerator < 4000000000000000000
                    and span.rate_denominator < 4000000000000000000 as is_short
            ) size
        ) rate
        offset 0
    ),

    served as (
        select
            begun.*, day_ends.day as on_day,
            report.served_us(day_ends.ends_us, begun.starts_us, begun.ends_us, begun.length_us) as served_us
        from begun
        cross join lateral generate_series(0, begun.until_day - begun.day) days_after
        join pg_temp.day_ends on day_ends.zone = begun.zone and day_ends.day = begun.day + days_after
        offset 0
    ),

    earned as (
        select
            served.*,
            case
                when served_us in (0, length_us) then micros * (served_us / length_us)
                when is_short
                    then case when micros < 0 then -1 else 1 end * report.nearest_short(share * served_us, whole)
                else report.nearest(micros::numeric * served_us, length_us)::bigint
            end as by_end
        from served
        offset 0
    ),

    converted as (
        select
            earned.*,
            case
                when on_day = day then report.converted_whole(
                    by_start, short_numerator, short_denominator, rate_numerator, rate_denominator)
            end as by_start_reporting,
            report.converted_whole(by_end, short_numerator, short_denominator, rate_numerator, rate_denominator)
                as by_end_reporting
        from earned
        offset 0
    ),

    -- brought: what a step had earned before its first day. carried: what it has earned by the end of a day and still has on
    -- the day after, which begins with it.
    totals as (
        select
            slice, on_day, sum(sign) as parts, sum(sign * micros) as billed, sum(sign * by_end) as earned,
            coalesce(sum(sign * by_start) filter (where on_day = day), 0) as brought,
            coalesce(sum(sign * by_end) filter (where on_day < until_day), 0) as carried,
            coalesce(sum(sign * micros_reporting), 0) as billed_reporting,
            coalesce(sum(sign * by_end_reporting), 0) as earned_reporting,
            coalesce(sum(sign * by_start_reporting) filter (where on_day = day), 0) as brought_reporting,
            coalesce(sum(sign * by_end_reporting) filter (where on_day < until_day), 0) as carried_reporting,
            coalesce(sum(sign) filter (where micros_reporting is null), 0) as unconverted
        from converted
        group by slice, on_day
    ),

    moves as (
        select
            slice, on_day as day, parts, earned - brought as recognised, billed - earned as deferred,
            earned_reporting - brought_reporting as recognised_reporting,
            billed_reporting - earned_reporting as deferred_reporting, unconverted
        from totals
        union all
        select slice, on_day + 1, 0, -carried, 0, -carried_reporting, 0, 0 from totals
    )

    select
        moves.day, slice.app_id, slice.store, slice.product_id, slice.currency, sum(moves.parts)::bigint as parts,
        sum(moves.recognised) as recognised, sum(moves.deferred) as deferred,
        sum(moves.recognised_reporting) as recognised_reporting, sum(moves.deferred_reporting) as deferred_reporting,
        sum(moves.unconverted)::bigint as unconverted
    from moves
    join (select distinct slice, app_id, store, product_id, currency from pg_temp.recognition_spans) slice using (slice)
    group by moves.day, slice.app_id, slice.store, slice.product_id, slice.currency
) moved
where (parts, recognised, deferred, recognised_reporting, deferred_reporting, unconverted) <> (0, 0, 0, 0, 0, 0)
on conflict (day, app_id, store, product_id, currency) do update set
    parts = held.parts + excluded.parts,
    recognised = held.recognised + excluded.recognised,
    deferred = held.deferred + excluded.deferred,
    recognised_reporting = held.recognised_reporting + excluded.recognised_reporting,
    deferred_reporting = held.deferred_reporting + excluded.deferred_reporting,
    unconverted = held.unconverted + excluded.unconverted;

delete from recognised_daily where parts = 0;

drop table pg_temp.recognition_spans, pg_temp.day_ends;
