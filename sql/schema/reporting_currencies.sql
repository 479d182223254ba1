-- The reporting currency by seal: a report of an earlier seal converts into what was configured when that was given.
-- Grain: one row per change of the configuration. It counts for the seals after the one that stood when it was made.
create table subledger.reporting_currencies (
    change_id bigint generated always as identity,
    currency text not null,
    after_seal bigint not null,
    constraint reporting_currencies_pkey primary key (change_id),
    constraint currencies_are_iso_codes check (currency ~ '^[A-Z]{3}$'),
    constraint seals_are_not_negative check (after_seal >= 0)
);

comment on table subledger.reporting_currencies is 'One row per change of the reporting currency; append-only';
comment on column subledger.reporting_currencies.change_id is 'Numbered in the order of the changes; the last of those that count for a seal is its own';
comment on column subledger.reporting_currencies.currency is 'ISO 4217: the one currency that reports convert into';
comment on column subledger.reporting_currencies.after_seal is 'The last seal given before the change, which has the currency before it';

-- Until the first configuration says otherwise.
insert into subledger.reporting_currencies (currency, after_seal) values ('USD', 0);
