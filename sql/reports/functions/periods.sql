-- How long periods are, and what cuts them short.

-- The product catalogue: how long a period of each product is.
-- Grain: one row per app, product, base plan (empty: any) and stretch of days [valid_from, valid_until) with a length that is
-- whole months or whole days; the row recorded last counts. Other durations say nothing here.
create or replace function report.plan_lengths(seal bigint) returns table (
    app_id text, product_id text, base_plan_id text, valid_from date, valid_until date, months bigint, days bigint
)
language sql stable
as $$
    with newest as (
        select distinct on (product.app_id, product.product_id, product.base_plan_id, product.valid_from) product.*
        from subledger.products product
        join subledger.runs run on run.run_id = product.recorded_run_id
        where run.seal <= plan_lengths.seal
        order by product.app_id, product.product_id, product.base_plan_id, product.valid_from, run.seal desc
    ),

    dated as (
        select
            newest.app_id, newest.product_id, newest.base_plan_id, newest.valid_from,
            lead(newest.valid_from, 1, 'infinity') over (
                partition by newest.app_id, newest.product_id, newest.base_plan_id order by newest.valid_from
            ) as valid_until,
            case
                when newest.period ~ '^P(?=\d)(\d+Y)?(\d+M)?$' then
                    extract(year from newest.period::interval) * 12 + extract(month from newest.period::interval)
            end::bigint as months,
            case
                when newest.period ~ '^P(?=\d)(\d+W)?(\d+D)?$' then extract(day from newest.period::interval)
            end::bigint as days
        from newest
    )

    select
        dated.app_id, dated.product_id, dated.base_plan_id, dated.valid_from, dated.valid_until, dated.months, dated.days
    from dated
    where dated.months > 0 or dated.days > 0
$$;

-- Whole calendar months from one instant to another, within 26 hours; 28 to 31 days are one month. NULL: not months.
-- PL/pgSQL keeps the plan from call to call, and a build asks this of every paid period.
create or replace function report.calendar_months(starts_at timestamptz, ends_at timestamptz) returns bigint
language plpgsql immutable
as $$
declare
    length constant interval := ends_at - starts_at;
    -- Nearest to days ÷ 30.4375.
    months constant bigint := (((ends_at at time zone 'UTC')::date - (starts_at at time zone 'UTC')::date) * 16 + 243) / 487;
begin
    if length between interval '28 days' and interval '31 days' then
        return 1;
    end if;
    if months >= 1 and report.is_months_long(starts_at, ends_at, months, interval '26 hours') then
        return months;
    end if;
    return null;
end
$$;

-- Whether so many months after one instant come to another one, by the calendar of UTC, give or take the tolerance.
create or replace function report.is_months_long(
    starts_at timestamptz, ends_at timestamptz, months bigint, tolerance interval
) returns boolean
language sql immutable
return (ends_at at time zone 'UTC')
    - ((starts_at at time zone 'UTC') + make_interval(months => is_months_long.months::integer))
    between -tolerance and tolerance;

-- A week or whole months, as stores sell them: within 26 hours, and for the first period after a change of plan within two,
-- because what the change left over may make a month of 58 days.
create or replace function report.is_plan_length(
    starts_at timestamptz, ends_at timestamptz, kind text
) returns boolean
language plpgsql immutable
as $$
declare
    is_changed constant boolean := kind in ('upgrade', 'downgrade', 'crossgrade');
    tolerance constant interval := case when is_changed then interval '2 hours' else interval '26 hours' end;
    months constant bigint := report.calendar_months(starts_at, ends_at);
begin
    return ends_at - starts_at between interval '7 days' - tolerance and interval '7 days' + tolerance
        or months is not null
            and (not is_changed or report.is_months_long(starts_at, ends_at, months, tolerance));
end
$$;

-- When a refund of the App Store's ended the period; NULL where it moved money only.
create or replace function report.cut_at(
    store text, refunded_at timestamptz, refund_kind text, refund_parts jsonb
) returns timestamptz
language sql immutable parallel safe
return case
    when cut_at.store <> 'google_play' and not (cut_at.refund_kind = 'partial' and cut_at.refund_parts is not null)
        then cut_at.refunded_at
end;

comment on function report.plan_lengths is 'The product catalogue''s period lengths that runs sealed by then imported';
comment on function report.calendar_months is 'Whole calendar months between two instants within 26 hours, 28 to 31 days being one; NULL where they are none';
comment on function report.is_months_long is 'Whether so many months after one instant come to another one, give or take the tolerance';
comment on function report.is_plan_length is 'Whether a period is a week or whole months long, within 26 hours; after a change of plan within two';
comment on function report.cut_at is 'When a refund of the App Store''s ended a period; NULL where it moved money only';
