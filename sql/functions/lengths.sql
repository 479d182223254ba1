-- How long a period is, and for what length a row was sold: reports take it for MRR, imports for the price list.

-- An ISO 8601 duration of whole years and months, or of whole weeks and days: so many months, or so many days.
-- Grain: one row; both NULL for any other text.
create or replace function subledger.length_of(period text) returns table (months bigint, days bigint)
language sql immutable
as $$
    select
        case
            when length_of.period ~ '^P(?=\d)(\d+Y)?(\d+M)?$' then
                extract(year from length_of.period::interval) * 12 + extract(month from length_of.period::interval)
        end::bigint,
        case
            when length_of.period ~ '^P(?=\d)(\d+W)?(\d+D)?$' then extract(day from length_of.period::interval)
        end::bigint
$$;

-- Whole calendar months from one instant to another, within {rule month_tolerance in words}; 28 to 31 days are one month. NULL: not months.
-- PL/pgSQL keeps the plan from call to call, and a build asks this of every paid period.
create or replace function subledger.calendar_months(starts_at timestamptz, ends_at timestamptz) returns bigint
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
    if months >= 1 and subledger.is_months_long(starts_at, ends_at, months, {rule month_tolerance}) then
        return months;
    end if;
    return null;
end
$$;

-- Whether so many months after one instant come to another one, by the calendar of UTC, give or take the tolerance.
create or replace function subledger.is_months_long(
    starts_at timestamptz, ends_at timestamptz, months bigint, tolerance interval
) returns boolean
language sql immutable
return (ends_at at time zone 'UTC')
    - ((starts_at at time zone 'UTC') + make_interval(months => is_months_long.months::integer))
    between -tolerance and tolerance;

-- A week or whole months, as stores sell them: within {rule month_tolerance in words}, and for the first period after a change of plan within two,
-- because what the change left over may make a month of 58 days.
create or replace function subledger.is_plan_length(
    starts_at timestamptz, ends_at timestamptz, kind text
) returns boolean
language plpgsql immutable
as $$
declare
    is_changed constant boolean := kind in ('upgrade', 'downgrade', 'crossgrade');
    tolerance constant interval := case when is_changed then interval '2 hours' else {rule month_tolerance} end;
    months constant bigint := subledger.calendar_months(starts_at, ends_at);
begin
    return ends_at - starts_at between interval '7 days' - tolerance and interval '7 days' + tolerance
        or months is not null
            and (not is_changed or subledger.is_months_long(starts_at, ends_at, months, tolerance));
end
$$;

-- The length that a row was sold for, in months or else in days: the catalogue's, but
-- - the row's own dates where the catalogue is silent; and where they differ from it by more than {rule month_tolerance in words} and make a length that
--   plans have, for a row of an offer (three months paid up front) and for a base plan that the catalogue does not list itself;
-- - a month for a year that is sold by the month, also where a payment within the grace made the row shorter; a yearly plan's first
--   period that a change of plan shortened is no month.
-- The rest of a period after a change of plan, sold at the plan's recurring price, has the catalogue's length, the one that this price
-- is for. is_of_plan: the catalogue lists the base plan itself. Grain: one row.
create or replace function subledger.length_sold(
    store text, kind text, is_offer boolean, base_plan_id text, is_at_recurring_price boolean, starts_at timestamptz,
    ends_at timestamptz, catalogue_months bigint, catalogue_days bigint, is_of_plan boolean
) returns table (months bigint, days bigint)
language sql immutable
as $$
    select
        case
            when decided.is_own then own.months
            when decided.is_by_the_month then 1
            else coalesce(length_sold.catalogue_months, 0)
        end,
        case when decided.is_own then own.days else length_sold.catalogue_days end
    from (
        select
            subledger.calendar_months(length_sold.starts_at, length_sold.ends_at) as months,
            greatest(
                1, round(extract(epoch from (length_sold.ends_at - length_sold.starts_at)) / 86400))::bigint as days
        -- Measured once, not wherever it is named.
        offset 0
    ) own
    cross join lateral (
        select coalesce(length_sold.catalogue_months, length_sold.catalogue_days) is null
            or not length_sold.is_at_recurring_price
                and (
                    length_sold.is_offer
                        and subledger.is_plan_length(length_sold.starts_at, length_sold.ends_at, 'renewal')
                    or length_sold.base_plan_id is not null
                        and not length_sold.is_of_plan
                        and subledger.is_plan_length(length_sold.starts_at, length_sold.ends_at, length_sold.kind)
                )
                and abs(
                    extract(epoch from length_sold.ends_at) - extract(epoch from (
                        (length_sold.starts_at at time zone 'UTC') + make_interval(
                            months => coalesce(length_sold.catalogue_months, 0)::integer,
                            days => coalesce(length_sold.catalogue_days, 0)::integer)
                    ) at time zone 'UTC')
                ) > extract(epoch from {rule month_tolerance}) as is_own,
            length_sold.catalogue_months = 12
                and not length_sold.is_offer
                and not length_sold.is_at_recurring_price
                and length_sold.ends_at - length_sold.starts_at < interval '45 days'
                and not subledger.is_shortened_by_change(length_sold.store, length_sold.kind)
                as is_by_the_month
        offset 0
    ) decided
$$;

-- The catalogue's length of a product on a day, as it is known now: the base plan's own before that of any plan, the newest that
-- was valid. Grain: one row, none where it says nothing.
create or replace function subledger.catalogue_length(
    app_id text, product_id text, base_plan_id text, day date
) returns table (months bigint, days bigint, is_of_plan boolean)
language sql stable
as $$
    select length.months, length.days, listed.base_plan_id <> ''
    from (
        select distinct on (known.base_plan_id) known.base_plan_id, known.period
        from subledger.products known
        where known.app_id = catalogue_length.app_id
            and known.product_id = catalogue_length.product_id
            and known.base_plan_id in ('', catalogue_length.base_plan_id)
            and known.valid_from <= catalogue_length.day
        order by known.base_plan_id, known.valid_from desc, known.recorded_run_id desc
    ) listed
    cross join lateral subledger.length_of(listed.period) length
    where length.months > 0 or length.days > 0
    order by listed.base_plan_id desc
    limit 1
$$;

comment on function subledger.length_of is 'An ISO 8601 duration as months or as days; NULL where it is neither';
comment on function subledger.calendar_months is 'Whole calendar months between two instants within {rule month_tolerance in words}, 28 to 31 days being one; NULL where they are none';
comment on function subledger.is_months_long is 'Whether so many months after one instant come to another one, give or take the tolerance';
comment on function subledger.is_plan_length is 'Whether a period is a week or whole months long, within {rule month_tolerance in words}; after a change of plan within two';
comment on function subledger.length_sold is 'The length that a row was sold for, in months or in days';
comment on function subledger.catalogue_length is 'The catalogue''s length of a product on a day, as it is known now';
