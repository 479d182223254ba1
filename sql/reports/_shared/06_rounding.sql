-- Exact sums of fractions: whole units of a common denominator, rounded once, where a figure is printed.

-- The whole number nearest to a fraction of either sign, half to even; the denominator is above zero. A plain expression,
-- so that the planner puts it in place of its calls: a report has millions.
create or replace function report.nearest(numerator numeric, denominator numeric) returns numeric
language sql immutable
as $$
    select sign(nearest.numerator) * (
        div(2 * abs(nearest.numerator) + nearest.denominator, 2 * nearest.denominator)
        - case
            when (2 * abs(nearest.numerator) + nearest.denominator) % (2 * nearest.denominator) = 0
                then div(2 * abs(nearest.numerator) + nearest.denominator, 2 * nearest.denominator) % 2
            else 0
        end
    )
$$;

-- units / scale micros as currency units, six decimals, half to even, of either sign.
create or replace function report.half_even(units numeric, scale numeric) returns numeric
language sql immutable
as $$
    select 0.000001 * report.nearest(half_even.units, half_even.scale)
$$;

-- part / whole of any two numbers to six decimals, half to even; NULL where the whole is 0 or unknown.
create or replace function report.ratio(part numeric, whole numeric) returns numeric
language sql immutable
as $$
    select case
        when ratio.whole <> 0 then report.half_even(sign(ratio.whole) * ratio.part * 1000000, abs(ratio.whole))
    end
$$;

-- The smallest number that all of them divide.
create or replace aggregate report.least_common_multiple (numeric) (sfunc = lcm, stype = numeric, initcond = '1');

comment on function report.nearest is 'numerator ÷ denominator as a whole number, half to even';
comment on function report.half_even is 'units ÷ scale micros in currency units: six decimals, half to even';
comment on function report.ratio is 'part ÷ whole, six decimals, half to even; NULL where whole is 0';
comment on aggregate report.least_common_multiple (numeric) is 'The common denominator of exact sums';
