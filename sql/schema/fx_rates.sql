-- Exchange rates by date of publication; append-only. Grain: one row per source, base, currency, date and run.
create table subledger.fx_rates (
    source text not null default 'import',
    base text not null,
    currency text not null,
    rate_date date not null,
    rate numeric,
    is_flagged boolean not null default false,
    recorded_run_id bigint not null,
    constraint fx_rates_pkey primary key (source, base, currency, rate_date, recorded_run_id),
    constraint sources_are_named check (source <> ''),
    constraint bases_are_iso_codes check (base ~ '^[A-Z]{3}$'),
    constraint currencies_are_iso_codes check (currency ~ '^[A-Z]{3}$'),
    constraint rates_are_positive check (rate > 0)
);

comment on table subledger.fx_rates is 'Dated exchange rates; append-only';
comment on column subledger.fx_rates.source is 'Who published it: ecb, or the name given to the import';
comment on column subledger.fx_rates.base is 'ISO 4217';
comment on column subledger.fx_rates.currency is 'ISO 4217';
comment on column subledger.fx_rates.rate_date is 'Date of publication';
comment on column subledger.fx_rates.rate is 'Units of the currency per one of the base; NULL: not quoted that day';
comment on column subledger.fx_rates.is_flagged is 'It moved more than 20 % since the publication before';
comment on column subledger.fx_rates.recorded_run_id is 'Run that recorded it';
