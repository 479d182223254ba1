-- How much of a service period has passed, in whole microseconds.

-- By an instant: none of it up to its beginning, and all of it once it is over, also where something cut it short.
create or replace function report.served_us(at bigint, starts_at bigint, ends_at bigint, length bigint) returns bigint
language sql immutable
return case
    when served_us.at <= served_us.starts_at then 0
    when served_us.at > served_us.ends_at then served_us.length
    else served_us.at - served_us.starts_at
end;

-- An instant as microseconds since 1970.
create or replace function report.microseconds(at timestamptz) returns bigint
language sql immutable
return extract(epoch from microseconds.at) * 1000000;

comment on function report.served_us is 'Microseconds of a service period that have passed by an instant';
comment on function report.microseconds is 'An instant as microseconds since 1970';
