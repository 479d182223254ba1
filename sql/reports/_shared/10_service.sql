-- How much of a transaction's money is earned at an instant: the part of its service period that has passed.
-- A plain expression, so that the planner puts it in place of its calls: a report has millions.

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

comment on function report.served_seconds is 'The part of a service period that has passed by an instant, in seconds';
