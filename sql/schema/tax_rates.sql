-- Tax by country and date, append-only; by import. Grain: one row per country, first day and run.
create table subledger.tax_rates (
    country text not null,
    rate numeric not null,
    is_inclusive boolean not null,
    valid_from date not null,
    recorded_run_id bigint not null,
    constraint tax_rates_pkey primary key (country, valid_from, recorded_run_id),
    constraint countries_are_iso_codes check (country ~ '^[A-Z]{2}$'),
    constraint rates_are_not_negative check (rate >= 0)
);

comment on table subledger.tax_rates is 'Dated tax rates; append-only';
comment on column subledger.tax_rates.country is 'ISO 3166-1 alpha-2';
comment on column subledger.tax_rates.rate is 'Share, such as 0.19';
comment on column subledger.tax_rates.is_inclusive is 'The customer price includes it';
comment on column subledger.tax_rates.valid_from is 'From this date on';
comment on column subledger.tax_rates.recorded_run_id is 'Run that recorded it';
