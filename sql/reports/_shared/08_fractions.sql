-- Exact sums of amounts that are no whole micros: estimates and conversions. A fraction is {numerator, denominator}, the
-- denominator above zero; it is rounded once, where it leaves the report, half to even.

-- A fraction more; NULL parts add nothing.
create or replace function report.add_fraction(total numeric[], numerator numeric, denominator numeric) returns numeric[]
language sql immutable
as $$
    select case
        when add_fraction.numerator is null or add_fraction.denominator is null then add_fraction.total
        when add_fraction.total is null then array[add_fraction.numerator, add_fraction.denominator]
        when add_fraction.total[2] = add_fraction.denominator
            then array[add_fraction.total[1] + add_fraction.numerator, add_fraction.denominator]
        else (
            select array[
                trim_scale(
                    add_fraction.total[1] * (add_fraction.denominator / common.part)
                        + add_fraction.numerator * (add_fraction.total[2] / common.part)),
                trim_scale(add_fraction.total[2] * (add_fraction.denominator / common.part))
            ]
            from (
                select case
                    when add_fraction.denominator % add_fraction.total[2] = 0 then add_fraction.total[2]
                    when add_fraction.total[2] % add_fraction.denominator = 0 then add_fraction.denominator
                    else 1
                end as part
            ) common
        )
    end
$$;

-- NULL where there was nothing to add.
create or replace aggregate report.sum_of_fractions(numeric, numeric) (
    sfunc = report.add_fraction, stype = numeric[]
);

-- The whole number nearest to a sum of fractions, half to even; NULL where there is none.
create or replace function report.nearest_whole(fraction numeric[]) returns numeric
language sql immutable
as $$
    select report.nearest(nearest_whole.fraction[1], nearest_whole.fraction[2])
$$;

comment on function report.add_fraction is 'Adds a fraction to a total, exactly';
comment on aggregate report.sum_of_fractions(numeric, numeric) is 'Exact sum of numerators ÷ denominators, as {numerator, denominator}';
comment on function report.nearest_whole is 'A fraction as a whole number, half to even';
