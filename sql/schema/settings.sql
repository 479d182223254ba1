-- What the access rule grants beyond the store's word, the reporting currency, the last seal given. Grain: one row.
create table subledger.settings (
    only_row boolean not null default true,
    grace_buffer interval not null default '1 day',
    unread_limit interval not null default '3 days',
    reporting_currency text not null default 'USD',
    last_seal bigint not null default 0,
    timeline text,
    constraint settings_pkey primary key (only_row),
    constraint there_is_one_row check (only_row),
    constraint currencies_are_iso_codes check (reporting_currency ~ '^[A-Z]{3}$')
);

comment on table subledger.settings is 'One row: what the access rule grants beyond the store''s word, and the last seal given';
comment on column subledger.settings.only_row is 'Always true: there is one row';
comment on column subledger.settings.grace_buffer is 'Access granted after the expiry, to hide the latency of daily polling';
comment on column subledger.settings.unread_limit is 'Access granted after the expiry while every check fails';
comment on column subledger.settings.reporting_currency is 'ISO 4217: the one currency that reports convert into';
comment on column subledger.settings.last_seal is 'Number of the last sealed run, or a higher one where numbers were passed over';
comment on column subledger.settings.timeline is 'Of the server''s log when the last seal was given; NULL before the first, and where the server does not say it';

insert into subledger.settings default values;
