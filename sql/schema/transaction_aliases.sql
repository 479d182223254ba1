-- A known period that came back under another transaction id (a restore). Grain: one row per later id.
create table subledger.transaction_aliases (
    subscription_key bigint not null,
    alias_transaction_id text not null,
    transaction_id text not null,
    recorded_run_id bigint not null,
    constraint transaction_aliases_pkey primary key (subscription_key, alias_transaction_id)
);

comment on table subledger.transaction_aliases is 'A known period that came back under another transaction id (a restore)';
comment on column subledger.transaction_aliases.subscription_key is 'The subscription';
comment on column subledger.transaction_aliases.alias_transaction_id is 'The later id';
comment on column subledger.transaction_aliases.transaction_id is 'The first id, which stays';
comment on column subledger.transaction_aliases.recorded_run_id is 'Run that recorded it';
