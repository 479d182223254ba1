-- The run ledger: every job that writes is a run, and everything a run wrote carries its id. A run is sealed when its data is
-- complete; seals are numbered in order, and "as of T" is a seal. Grain: one row per execution of a writing job.
create table subledger.runs (
    run_id bigint generated always as identity,
    job text not null,
    business_date date not null,
    logical_now timestamptz not null,
    started_at timestamptz not null default now(),
    finished_at timestamptz,
    sealed_at timestamptz,
    seal bigint,
    outcome text not null default 'running',
    failure text,
    report_due boolean not null default false,
    is_audit boolean not null default false,
    counts jsonb not null default '{}',
    host text not null,
    process_id bigint not null,
    leader_generation bigint not null default 1,
    leased_until timestamptz,
    finish_by timestamptz,
    request_number bigint,
    constraint runs_pkey primary key (run_id),
    constraint one_run_per_seal unique (seal),
    constraint known_jobs check (job in ('nightly', 'notifications', 'intake', 'report', 'import', 'migrate', 'replay', 'reconcile')),
    constraint known_outcomes check (outcome in ('running', 'done', 'partial', 'failed')),
    constraint finished_runs_say_when check ((outcome = 'running') = (finished_at is null)),
    constraint sealed_runs_are_numbered check ((seal is null) = (sealed_at is null))
);

create index open_runs on subledger.runs (run_id) where outcome = 'running';
create index open_runs_by_request on subledger.runs (request_number) where outcome = 'running';

create index runs_by_clock on subledger.runs (logical_now, seal) where seal is not null;

comment on table subledger.runs is 'One row per execution of a writing job for one business date';
comment on column subledger.runs.run_id is 'Carried by everything the run wrote';
comment on column subledger.runs.job is 'The job that ran';
comment on column subledger.runs.business_date is 'The last complete day before logical_now in the report time zone';
comment on column subledger.runs.logical_now is 'The run''s clock: decides what is due, the business date and the recording instants';
comment on column subledger.runs.started_at is 'Database clock at the start';
comment on column subledger.runs.finished_at is 'Database clock at the end';
comment on column subledger.runs.sealed_at is 'Database clock when its data was complete';
comment on column subledger.runs.seal is 'Number in the order of sealing: as-of views see seals up to a number';
comment on column subledger.runs.outcome is 'running, done, partial or failed';
comment on column subledger.runs.failure is 'Why it failed or was left; NULL where nothing went wrong';
comment on column subledger.runs.report_due is 'The report of its business date is to be written still: by itself, or by the next night';
comment on column subledger.runs.is_audit is 'It asks about every subscription that is not closed, due or not, and reads histories from their beginning';
comment on column subledger.runs.counts is 'Due, checked, renewed, ended and so on';
comment on column subledger.runs.host is 'Host of the leading process';
comment on column subledger.runs.process_id is 'Process id of the leader on that host';
comment on column subledger.runs.leader_generation is 'Raised when a dead leader''s run is taken over';
comment on column subledger.runs.leased_until is 'The leader is alive until then, by the database clock';
comment on column subledger.runs.finish_by is 'No host asks after it, by the database clock: as long as its present leader may ask; NULL: no limit';
comment on column subledger.runs.request_number is 'Drawn by who opened it or took it over last: found again where the answer to that was lost; NULL for a migrator''s';
