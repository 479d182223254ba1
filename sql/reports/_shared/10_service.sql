-- How much of a transaction's money is earned at an instant: the part of its service period that has passed.
-- Both functions are plain expressions, so that the planner puts them in place of their calls: a report has millions.

-- Seconds of the period that have passed, out of `whole`: none up to the start, all of them after the end; after an early
-- end too, whose instant belongs to the day it begins. What has no length (whole is 1 then) is earned once it has begun.
create or replace function report.served_seconds(
    at timestamptz, starts_at timestamptz, ends_at timestamptz, whole numeric
) returns numeric
language sql stable
as $$
    select case
        when served_seconds.at <= served_seconds.starts_at then 0
        when served_seconds.at > served_seconds.ends_at then served_seconds.whole
        else extract(epoch from served_seconds.at) - extract(epoch from served_seconds.starts_at)
    end
$$;

-- A fraction of zero or more as a whole number, half to even.
create or replace function report.nearest(numerator numeric, denominator numeric) returns numeric
language sql immutable
as $$
    select div(2 * nearest.numerator + nearest.denominator, 2 * nearest.denominator)
        - case
            when (2 * nearest.numerator + nearest.denominator) % (2 * nearest.denominator) = 0
                then div(2 * nearest.numerator + nearest.denominator, 2 * nearest.denominator) % 2
            else 0
        end
$$;

comment on function report.served_seconds is 'The part of a service period that has passed by an instant, in seconds';
comment on function report.nearest is 'numerator ÷ denominator, both zero or more, as a whole number, half to even';
