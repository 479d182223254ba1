-- How far what a store reports unasked (voided purchases) was read. Grain: one row per app.
create table subledger.store_event_watermarks (
    app_id text not null,
    read_until timestamptz not null,
    recorded_run_id bigint not null,
    constraint store_event_watermarks_pkey primary key (app_id)
);

comment on table subledger.store_event_watermarks is 'How far what a store reports unasked (voided purchases) was read, per app';
comment on column subledger.store_event_watermarks.app_id is 'The app';
comment on column subledger.store_event_watermarks.read_until is 'The next look begins here, with an overlap';
comment on column subledger.store_event_watermarks.recorded_run_id is 'Run that read it';
