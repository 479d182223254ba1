-- The apps of a run; at most one open run per app. Sealing a run closes its apps: what is written then are reports. Grain: one row per run and app.
create table subledger.run_apps (
    run_id bigint not null references subledger.runs,
    app_id text not null references subledger.apps,
    state text not null default 'open',
    reason text,
    is_late boolean not null default false,
    due bigint,
    unread bigint,
    closed_at timestamptz,
    failure jsonb,
    waited_ms bigint not null default 0,
    constraint run_apps_pkey primary key (run_id, app_id),
    constraint known_states check (state in ('open', 'done', 'stopped')),
    constraint counts_are_not_negative check (due >= 0 and unread >= 0),
    constraint closed_apps_say_when check ((state = 'open') = (closed_at is null)),
    constraint stopped_apps_say_why check (state <> 'stopped' or reason is not null),
    constraint late_apps_were_stopped check (state = 'stopped' or not is_late)
);

create unique index one_open_run_per_app on subledger.run_apps (app_id) where closed_at is null;

comment on table subledger.run_apps is 'The apps of a run; at most one open run per app that is not sealed';
comment on column subledger.run_apps.run_id is 'The run';
comment on column subledger.run_apps.app_id is 'The app';
comment on column subledger.run_apps.state is 'open, done, or stopped by its store''s failure';
comment on column subledger.run_apps.reason is 'Why it was stopped, and what to do';
comment on column subledger.run_apps.is_late is 'It was stopped when its store had answered: it has finished, late, and what was not asked stays due';
comment on column subledger.run_apps.due is 'Subscriptions planned for this run; NULL until it is planned';
comment on column subledger.run_apps.unread is 'Subscriptions of the app that were unread when the run was sealed, whichever run failed to read them; NULL: not counted';
comment on column subledger.run_apps.closed_at is 'Database clock when the app was stopped, or the run sealed or ended';
comment on column subledger.run_apps.failure is 'Why its store stopped it, from then on: kind, reason and message; NULL where it did not';
comment on column subledger.run_apps.waited_ms is 'How long the run''s leaders waited for its store while it was down';
