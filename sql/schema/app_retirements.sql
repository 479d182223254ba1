-- Apps that their owner has retired, and those taken up again, append-only. Grain: one row per app and run that recorded a change of it:
-- the first that was sealed after the configuration said so. As of a seal the last row counts that was recorded by then.
create table subledger.app_retirements (
    app_id text not null references subledger.apps,
    recorded_run_id bigint not null references subledger.runs,
    retired_on date,
    constraint app_retirements_pkey primary key (app_id, recorded_run_id)
);

comment on table subledger.app_retirements is 'Append-only: since when apps are asked about no more; one row per app and run that recorded a change';
comment on column subledger.app_retirements.app_id is 'The app';
comment on column subledger.app_retirements.recorded_run_id is 'The run under whose seal it counts';
comment on column subledger.app_retirements.retired_on is 'From that day on it is asked about no more; NULL: it is asked about again';
