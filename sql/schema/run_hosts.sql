-- The hosts of a run: the processes that asked for it, its leaders among them, and how far each has come. Grain: one row per run, process and app.
-- It refers to no table: what notes it renews leases, too, and waits for no load and no seal.
create table subledger.run_hosts (
    run_id bigint not null,
    host_name text not null,
    app_id text not null,
    machine text not null,
    process_id bigint not null,
    calls bigint not null default 0,
    retries bigint not null default 0,
    chunks bigint not null default 0,
    checks bigint not null default 0,
    was_answered boolean not null default false,
    seen_at timestamptz not null,
    constraint run_hosts_pkey primary key (run_id, host_name, app_id),
    constraint counts_are_not_negative check (calls >= 0 and retries >= 0 and chunks >= 0 and checks >= 0)
);

comment on table subledger.run_hosts is 'The processes that asked the stores for a run, on whatever machine, and how far each has come';
comment on column subledger.run_hosts.run_id is 'The run';
comment on column subledger.run_hosts.host_name is 'The process, by a name that no other one has had: its workers'' names begin with it (run_chunks.leased_by)';
comment on column subledger.run_hosts.app_id is 'The app';
comment on column subledger.run_hosts.machine is 'Machine of the process';
comment on column subledger.run_hosts.process_id is 'Process id on that machine';
comment on column subledger.run_hosts.calls is 'Requests so far: the retry budget is a share of those of all hosts';
comment on column subledger.run_hosts.retries is 'What it has taken of the retry budget';
comment on column subledger.run_hosts.chunks is 'Chunks that it has loaded';
comment on column subledger.run_hosts.checks is 'Subscriptions that it has asked about';
comment on column subledger.run_hosts.was_answered is 'The store answered it well of anything of the app: what it fails on then is an id, not the store';
comment on column subledger.run_hosts.seen_at is 'When it noted this last, by the database clock';
