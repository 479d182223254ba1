-- What apps are called for people, append-only. Grain: one row per app and run that recorded another title of it: the first that was
-- sealed after the configuration said so. As of a seal the last row counts that was recorded by then.
create table subledger.app_titles (
    app_id text not null references subledger.apps,
    recorded_run_id bigint not null references subledger.runs,
    title text,
    constraint app_titles_pkey primary key (app_id, recorded_run_id)
);

comment on table subledger.app_titles is 'Append-only: what apps are called for people; one row per app and run that recorded another title';
comment on column subledger.app_titles.app_id is 'The app';
comment on column subledger.app_titles.recorded_run_id is 'The run under whose seal it counts';
comment on column subledger.app_titles.title is 'The owner''s name of the app for people; NULL: its id again';
