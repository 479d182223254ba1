-- How far the notifications that a store keeps were fetched. Grain: one row per app.
create table subledger.notification_pulls (
    app_id text not null,
    pulled_until timestamptz,
    unavailable_since timestamptz,
    recorded_run_id bigint not null,
    constraint notification_pulls_pkey primary key (app_id)
);

comment on table subledger.notification_pulls is 'How far the notifications that a store keeps were fetched, per app';
comment on column subledger.notification_pulls.app_id is 'The app';
comment on column subledger.notification_pulls.pulled_until is 'The next pull begins here, with an overlap; NULL: never pulled to an instant';
comment on column subledger.notification_pulls.unavailable_since is 'Since when the store says that it has no notifications for this app: logged once';
comment on column subledger.notification_pulls.recorded_run_id is 'Run that last wrote this';
