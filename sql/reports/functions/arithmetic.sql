-- Exact sums of fractions: whole units of a common denominator, rounded once, where a figure is printed.

-- The whole number nearest to a fraction of either sign, half to even; the denominator is above zero. A plain expression,
-- so that the planner inlines it: a report has millions, and most of a bridge's figures are 0.
create or replace function marts.nearest(numerator numeric, denominator numeric) returns numeric
language sql immutable
as $$
    select case when nearest.numerator = 0 then 0 else sign(nearest.numerator) * (
        div(2 * abs(nearest.numerator) + nearest.denominator, 2 * nearest.denominator)
        - case
            when (2 * abs(nearest.numerator) + nearest.denominator) % (2 * nearest.denominator) = 0
                then div(2 * abs(nearest.numerator) + nearest.denominator, 2 * nearest.denominator) % 2
            else 0
        end
    ) end
$$;

-- The whole number nearest to a sum whose parts were cut off beyond the 44th digit, half to even: what is within 10^-20 of a half
-- is one.
create or replace function marts.nearest_whole_of(amount numeric) returns numeric
language sql immutable
return marts.nearest(round(nearest_whole_of.amount, 20), 1);

-- A sum in the reporting currency that left out what has no rate: NULL, not 0, where that is all of it.
create or replace function marts.unless_all_left_out(converted numeric, original numeric) returns numeric
language sql immutable
as $$
    select case
        when unless_all_left_out.converted <> 0 or unless_all_left_out.original = 0 then unless_all_left_out.converted
    end
$$;

comment on function marts.unless_all_left_out is 'A converted sum; NULL where no part of the original could be converted';

-- units / scale micros as currency units, six decimals, half to even, of either sign.
create or replace function marts.half_even(units numeric, scale numeric) returns numeric
language sql immutable
as $$
    select 0.000001 * marts.nearest(half_even.units, half_even.scale)
$$;

-- part / whole of any two numbers to six decimals, half to even; NULL where the whole is 0 or unknown.
create or replace function marts.ratio(part numeric, whole numeric) returns numeric
language sql immutable
as $$
    select case
        when ratio.whole <> 0 then marts.half_even(sign(ratio.whole) * ratio.part * 1000000, abs(ratio.whole))
    end
$$;

-- An amount in another currency, to twelve digits: what no figure has is cut off, so that sums are exact to the micro without
-- fractions. NULL where there is no rate.
create or replace function marts.converted(amount bigint, numerator numeric, denominator numeric) returns numeric
language sql immutable
as $$
    select round(converted.amount * 1.00000000000000 * converted.numerator / converted.denominator, 12)
$$;

-- What a value rose or fell by, in the reporting currency at the rate of the new value: what its value there is to its own value. A
-- new value of nothing has no rate of its own: what is lost is the old value. NULL where one of the four is.
create or replace function marts.difference_at_rate(
    nanos_before bigint, reporting_before bigint, nanos_after bigint, reporting_after bigint
) returns bigint
language sql immutable
as $$
    select case
        when difference_at_rate.nanos_after = 0 then -difference_at_rate.reporting_before
        when difference_at_rate.reporting_before is not null then marts.nearest(
            (difference_at_rate.nanos_after - difference_at_rate.nanos_before)::numeric * difference_at_rate.reporting_after,
            difference_at_rate.nanos_after
        )
    end::bigint
$$;

comment on function marts.difference_at_rate is 'What a value rose or fell by, at the rate of the new value';
comment on function marts.converted is 'amount × numerator ÷ denominator, to twelve digits';
comment on function marts.nearest is 'numerator ÷ denominator as a whole number, half to even';
comment on function marts.nearest_whole_of is 'A sum of parts with 44 digits as a whole number, half to even';
comment on function marts.half_even is 'units ÷ scale micros in currency units: six decimals, half to even';
comment on function marts.ratio is 'part ÷ whole, six decimals, half to even; NULL where whole is 0';

-- Exact sums of amounts that are no whole micros: estimates and conversions. A fraction is {numerator, denominator}, the
-- denominator above zero; it is rounded once, where it leaves the report, half to even.

-- A fraction more; NULL parts add nothing. In PL/pgSQL: an aggregate calls it for every row, and a function in SQL costs it
-- twenty times as much.
create or replace function marts.add_fraction(total numeric[], numerator numeric, denominator numeric) returns numeric[]
language plpgsql immutable
as $$
declare
    common numeric := 1;
begin
    if numerator is null or denominator is null then
        return total;
    elsif total is null then
        return array[numerator, denominator];
    elsif total[2] = denominator then
        return array[total[1] + numerator, denominator];
    elsif denominator % total[2] = 0 then
        common := total[2];
    elsif total[2] % denominator = 0 then
        common := denominator;
    end if;
    return array[
        trim_scale(total[1] * (denominator / common) + numerator * (total[2] / common)),
        trim_scale(total[2] * (denominator / common))
    ];
end
$$;

-- NULL where there was nothing to add.
create or replace aggregate marts.sum_of_fractions(numeric, numeric) (
    sfunc = marts.add_fraction, stype = numeric[]
);

-- The whole number nearest to a sum of fractions, half to even; NULL where there is none.
create or replace function marts.nearest_whole(fraction numeric[]) returns numeric
language sql immutable
as $$
    select marts.nearest(nearest_whole.fraction[1], nearest_whole.fraction[2])
$$;

comment on function marts.add_fraction is 'Adds a fraction to a total, exactly';
comment on aggregate marts.sum_of_fractions(numeric, numeric) is 'Exact sum of numerators ÷ denominators, as {numerator, denominator}';
comment on function marts.nearest_whole is 'A fraction as a whole number, half to even';
