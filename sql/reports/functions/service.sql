-- How much of a service period has passed, in whole microseconds.

-- By an instant: none of it up to its beginning, and all of it once it is over, also where something cut it short.
create or replace function marts.served_us(at bigint, starts_at bigint, ends_at bigint, length bigint) returns bigint
language sql immutable
return case
    when served_us.at <= served_us.starts_at then 0
    when served_us.at > served_us.ends_at then served_us.length
    else served_us.at - served_us.starts_at
end;

-- What a microsecond of a service period earns, to 44 digits.
create or replace function marts.earning_rate(money numeric, length_us bigint) returns numeric
language sql immutable
return round(
    earning_rate.money * 1.00000000000000000000000000000000000000000000 / earning_rate.length_us, 44
);

-- What has been earned of it when so much has passed: all of it at the end, whatever the rate left over.
create or replace function marts.earned_by(money numeric, rate numeric, served_us bigint, length_us bigint) returns numeric
language sql immutable
return case when earned_by.served_us >= earned_by.length_us then earned_by.money else earned_by.rate * earned_by.served_us end;

-- An instant as microseconds since 1970.
create or replace function marts.microseconds(at timestamptz) returns bigint
language sql immutable
return extract(epoch from microseconds.at) * 1000000;

-- From one instant to a later one.
create or replace function marts.microseconds_between(earlier timestamptz, later timestamptz) returns bigint
language sql immutable
return extract(epoch from microseconds_between.later - microseconds_between.earlier) * 1000000;

comment on function marts.served_us is 'Microseconds of a service period that have passed by an instant';
comment on function marts.earning_rate is 'Money ÷ length of a service period, to 44 digits';
comment on function marts.earned_by is 'What has been earned of a service period''s money when so much of it has passed';
comment on function marts.microseconds is 'An instant as microseconds since 1970';
comment on function marts.microseconds_between is 'Microseconds from one instant to a later one';
