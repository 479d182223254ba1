-- Notifications: which run handled each, which were fetched, and how far each app's were fetched.

alter table subledger.notification_inbox
    add column is_pulled boolean not null default false,
    add column handled_run_id bigint,
    add constraint handled_notifications_say_when check (
        (state = 'pending') = (handled_at is null) and (state = 'pending') = (handled_run_id is null)),
    add constraint refused_notifications_say_why check (state <> 'refused' or reason is not null);

-- The same notification is applied once, however often and by whichever way it comes.
create unique index notifications_applied_once on subledger.notification_inbox (app_id, dedupe_key)
where state = 'applied';
create index notifications_by_dedupe_key on subledger.notification_inbox (app_id, dedupe_key)
where dedupe_key is not null;
create index notifications_by_run on subledger.notification_inbox (handled_run_id) where handled_run_id is not null;

-- How far each app's notifications were fetched from its store.
create table subledger.notification_pulls (
    app_id text primary key,
    pulled_until timestamptz,
    not_kept_since timestamptz,
    recorded_run_id bigint not null
);

comment on column subledger.notification_inbox.is_pulled is 'The batch fetched it from the store; otherwise the owner''s webhook put it in';
comment on column subledger.notification_inbox.handled_run_id is 'Run that handled it';
comment on table subledger.notification_pulls is 'How far the notifications that a store keeps were fetched, per app';
comment on column subledger.notification_pulls.app_id is 'The app';
comment on column subledger.notification_pulls.pulled_until is 'The next pull begins here, with an overlap; NULL: never pulled to an instant';
comment on column subledger.notification_pulls.not_kept_since is 'Since when the store says that it keeps none for this app: said once';
comment on column subledger.notification_pulls.recorded_run_id is 'Run that last wrote this';
