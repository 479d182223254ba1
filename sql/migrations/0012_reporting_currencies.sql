-- The reporting currency by seal: a report of an earlier seal converts into what was configured when that was given.

-- Grain: one row per change of the configuration. It counts for the seals after the one that stood when it was made.
create table subledger.reporting_currencies (
    change_id bigint generated always as identity primary key,
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    after_seal bigint not null check (after_seal >= 0)
);

-- Earlier changes were not kept: what stands now is taken for all seals until now.
insert into subledger.reporting_currencies (currency, after_seal)
select reporting_currency, 0 from subledger.settings;

create trigger append_only before update or delete on subledger.reporting_currencies
for each row execute function subledger.refuse_rewriting_history();

comment on table subledger.reporting_currencies is 'One row per change of the reporting currency; append-only';
comment on column subledger.reporting_currencies.change_id is 'Numbered in the order of the changes; the last of those that count for a seal is its own';
comment on column subledger.reporting_currencies.currency is 'ISO 4217: the one currency that reports convert into';
comment on column subledger.reporting_currencies.after_seal is 'The last seal given before the change, which keeps the currency before it';
