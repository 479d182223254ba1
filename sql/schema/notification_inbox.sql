-- The stores' notifications as the owner's webhook or a pull brought them: hints, never the truth. Grain: one row per notification
-- received.
create table subledger.notification_inbox (
    notification_id bigint generated always as identity,
    app_id text not null references subledger.apps,
    source text not null,
    payload text not null,
    received_bytes integer,
    received_at timestamptz not null default now(),
    is_pulled boolean not null default false,
    state text not null default 'pending',
    dedupe_key text,
    notification_type text,
    reason text,
    handled_at timestamptz,
    handled_run_id bigint,
    constraint notification_inbox_pkey primary key (notification_id),
    constraint known_sources check (source in ('app_store_v1', 'app_store_v2', 'play_rtdn')),
    constraint known_states check (state in ('pending', 'applied', 'ignored', 'refused')),
    constraint handled_notifications_say_when check (
        (state = 'pending') = (handled_at is null) and (state = 'pending') = (handled_run_id is null)
    ),
    constraint refused_notifications_say_why check (state <> 'refused' or reason is not null)
);

create unique index notifications_applied_once on subledger.notification_inbox (app_id, dedupe_key) where state = 'applied';
create index notifications_by_dedupe_key on subledger.notification_inbox (app_id, dedupe_key) where dedupe_key is not null;
create index notifications_by_run on subledger.notification_inbox (handled_run_id) where handled_run_id is not null;
create index notifications_pending on subledger.notification_inbox (app_id, notification_id) where state = 'pending';

comment on table subledger.notification_inbox is 'Raw store notifications from the owner''s webhook: hints, never the truth';
comment on column subledger.notification_inbox.notification_id is 'Row number';
comment on column subledger.notification_inbox.app_id is 'The app';
comment on column subledger.notification_inbox.source is 'app_store_v1, app_store_v2 or play_rtdn';
comment on column subledger.notification_inbox.payload is 'As received; a version 1 notification that was handled has no secret and no receipt any more';
comment on column subledger.notification_inbox.received_bytes is 'Its length as received, where it was shortened since';
comment on column subledger.notification_inbox.received_at is 'When it was put in';
comment on column subledger.notification_inbox.is_pulled is 'The batch fetched it from the store; otherwise the owner''s webhook put it in';
comment on column subledger.notification_inbox.state is 'pending, applied, ignored or refused';
comment on column subledger.notification_inbox.dedupe_key is 'The store''s own id of the notification';
comment on column subledger.notification_inbox.notification_type is 'The store''s word for it';
comment on column subledger.notification_inbox.reason is 'Why it was ignored or refused';
comment on column subledger.notification_inbox.handled_at is 'When it was handled';
comment on column subledger.notification_inbox.handled_run_id is 'Run that handled it';
