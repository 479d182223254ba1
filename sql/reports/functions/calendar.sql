-- Days of the report time zone, and exact shares.

-- The zone of a store's rows: the report's own, or each store's where the report says `store`.
create or replace function marts.zone_of(store text, time_zone text) returns text
language sql immutable
as $$
    select case
        when zone_of.time_zone <> 'store' then zone_of.time_zone
        else subledger.time_zone_of_store(zone_of.store)
    end
$$;

-- The day an instant falls in: [00:00, next 00:00), 23 and 25 hours included. The infinities stay what they are.
create or replace function marts.day_of(at timestamptz, store text, time_zone text) returns date
language sql stable
as $$
    select (day_of.at at time zone marts.zone_of(day_of.store, day_of.time_zone))::date
$$;

-- part / whole to six decimals, half to even, from integers only; NULL where there is no whole.
create or replace function marts.share(part bigint, whole bigint) returns numeric
language sql immutable
as $$
    select case when share.whole > 0 then marts.half_even(share.part::numeric * 1000000, share.whole) end
$$;

comment on function marts.zone_of is 'The time zone of a store''s rows; store means that of the store''s own days';
comment on function marts.day_of is 'The day an instant falls in';
comment on function marts.share is 'part ÷ whole, six decimals, half to even; NULL where whole is 0';

-- Whole calendar months from one local time to a later one: 31 January to 28 February is one.
create or replace function marts.months_between(earlier timestamp, later timestamp) returns integer
language plpgsql immutable
as $$
declare
    apart constant integer := (extract(year from later) - extract(year from earlier)) * 12
        + extract(month from later) - extract(month from earlier);
begin
    return apart - (earlier + make_interval(months => apart) > later)::integer;
end
$$;

comment on function marts.months_between is 'Whole calendar months between two local times';

-- The months at whose end a stretch of days [from_day, until_day) goes on; the month of last_day ends with it.
create or replace function marts.month_ends(from_day date, until_day date, last_day date) returns setof date
language sql immutable
as $$
    select month::date
    from generate_series(
        date_trunc('month', month_ends.from_day::timestamp),
        date_trunc('month', least(month_ends.until_day, month_ends.last_day)::timestamp),
        interval '1 month'
    ) month
    cross join lateral (
        select least((month + interval '1 month' - interval '1 day')::date, month_ends.last_day) as end_day
    ) span
    where isfinite(month_ends.last_day)
        and span.end_day >= month_ends.from_day
        and span.end_day < month_ends.until_day
$$;

comment on function marts.month_ends is 'The months at whose end a stretch of days stands';
