-- What the App Store alone decides. Every other SQL file asks one of these functions, or one of google_play.sql, and names no store.
-- Grain: one value each.

-- A row's period ends where it was first seen to end: a later end of the same row extends it.
create or replace function subledger.is_period_end_final(store text) returns boolean
language sql immutable parallel safe
return is_period_end_final.store = 'app_store';

-- A purchase that an upgrade superseded was credited in part, and the store does not say how much of it.
create or replace function subledger.is_credit_unknown(store text, is_upgraded boolean) returns boolean
language sql immutable parallel safe
return is_credit_unknown.store = 'app_store' and is_credit_unknown.is_upgraded;

-- A free trial and an introductory price are one and the same offer: who used one of them is not offered the other.
create or replace function subledger.is_trial_an_introduction(store text) returns boolean
language sql immutable parallel safe
return is_trial_an_introduction.store = 'app_store';

-- A yearly product may be billed by the month, with a row for each month.
create or replace function subledger.is_year_billed_by_month(store text) returns boolean
language sql immutable parallel safe
return is_year_billed_by_month.store = 'app_store';

-- The store's day: reports whose time zone is `store` go by it. Other stores' is that of UTC.
create or replace function subledger.time_zone_of_store(store text) returns text
language sql immutable parallel safe
return case when time_zone_of_store.store = 'app_store' then 'America/Los_Angeles' else 'UTC' end;

-- Why a text can be no transaction id, for a person; NULL where it can.
create or replace function subledger.transaction_id_fault(id text) returns text
language sql immutable parallel safe
return case
    when transaction_id_fault.id ~ '^[1-9][0-9]{0,19}$' then null
    when transaction_id_fault.id ~ '^[="''’,._\s\u00a0\u202f0-9]*[0-9][="''’,._\s\u00a0\u202f0-9]*$'
        and transaction_id_fault.id ~ '[^0-9]' then 'a spreadsheet has changed it: export the column as text'
    else 'an App Store transaction id has 1 to 20 digits, the first of them not 0'
end;

comment on function subledger.is_period_end_final is 'Whether a row''s period ends where it was first seen to end, and a later end extends it';
comment on function subledger.is_credit_unknown is 'Whether a superseded purchase was credited an amount that the store does not say';
comment on function subledger.is_trial_an_introduction is 'Whether a free trial and an introductory price are one and the same offer';
comment on function subledger.is_year_billed_by_month is 'Whether a yearly product may be billed by the month';
comment on function subledger.time_zone_of_store is 'The time zone of a store''s own days';
comment on function subledger.transaction_id_fault is 'Why a text cannot be a transaction id of the App Store; NULL where it can';
