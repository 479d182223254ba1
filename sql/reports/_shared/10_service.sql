-- How much of a transaction's money is earned at an instant: the part of its service period that has passed, to the micro,
-- half to even. All of it from the end on (an early end included), nothing before the start; without a period (seconds
-- NULL or 0) all of it from the start on. Negative where more was given back than charged.
create or replace function report.served_micros(
    micros numeric, at timestamptz, starts_at timestamptz, ends_at timestamptz, seconds numeric
) returns numeric
language sql stable
as $$
    select case
        when served_micros.at >= served_micros.ends_at then
            case when served_micros.at > served_micros.starts_at or served_micros.seconds > 0 then served_micros.micros
                else 0 end
        when served_micros.at <= served_micros.starts_at then 0
        else report.half_even(array[
            served_micros.micros * (extract(epoch from served_micros.at) - extract(epoch from served_micros.starts_at)),
            served_micros.seconds
        ])
    end
$$;

comment on function report.served_micros is 'The part of an amount that is earned by an instant, even over its service period';
