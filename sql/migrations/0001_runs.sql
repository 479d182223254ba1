-- The run ledger: every job that writes is a run, and everything a run wrote carries its id.
-- A run is sealed when its data is complete; seals are numbered in order, and "as of T" is a seal.

create table subledger.settings (
    only_row boolean primary key default true check (only_row),
    grace_buffer interval not null default '1 day',
    unread_limit interval not null default '3 days',
    last_seal bigint not null default 0
);
insert into subledger.settings default values;

create table subledger.apps (
    app_id text primary key check (app_id <> ''),
    store text not null check (store in ('app_store', 'google_play')),
    environment text not null default 'production' check (environment in ('production', 'sandbox')),
    default_country text check (default_country ~ '^[A-Z]{2}$')
);

create table subledger.runs (
    run_id bigint generated always as identity primary key,
    job text not null check (job in ('nightly', 'notifications', 'intake', 'report', 'import', 'replay', 'reconcile')),
    business_date date not null,
    logical_now timestamptz not null,
    started_at timestamptz not null default now(),
    finished_at timestamptz,
    sealed_at timestamptz,
    seal bigint unique,
    outcome text not null default 'running' check (outcome in ('running', 'done', 'partial', 'failed')),
    counts jsonb not null default '{}',
    host text not null,
    process_id bigint not null,
    leader_generation bigint not null default 1,
    leased_until timestamptz,
    constraint finished_runs_say_when check ((outcome = 'running') = (finished_at is null)),
    constraint sealed_runs_are_numbered check ((seal is null) = (sealed_at is null))
);
create index runs_by_clock on subledger.runs (logical_now, seal) where seal is not null;

create table subledger.run_apps (
    run_id bigint not null references subledger.runs,
    app_id text not null references subledger.apps,
    state text not null default 'open' check (state in ('open', 'done', 'stopped')),
    reason text,
    due bigint check (due >= 0),
    closed_at timestamptz,
    primary key (run_id, app_id),
    constraint closed_apps_say_when check ((state = 'open') = (closed_at is null)),
    constraint stopped_apps_say_why check (state <> 'stopped' or reason is not null)
);
create unique index one_open_run_per_app on subledger.run_apps (app_id) where closed_at is null;

create table subledger.run_chunks (
    run_id bigint not null references subledger.runs,
    chunk_no integer not null check (chunk_no > 0),
    app_id text not null references subledger.apps,
    subscription_keys bigint[] not null check (cardinality(subscription_keys) > 0),
    state text not null default 'pending' check (state in ('pending', 'leased', 'done', 'abandoned')),
    generation bigint not null default 0,
    leased_by text,
    leased_until timestamptz,
    attempts integer not null default 0,
    expected bigint,
    staged bigint,
    changed bigint,
    counts jsonb not null default '{}',
    primary key (run_id, chunk_no),
    constraint leased_chunks_have_an_owner check ((state = 'leased') = (leased_by is not null and leased_until is not null)),
    constraint done_chunks_are_counted check (state <> 'done' or (expected = staged and changed is not null))
);
create index chunks_to_claim on subledger.run_chunks (run_id, chunk_no) where state in ('pending', 'leased');

comment on schema subledger is 'Subscriptions, canonical transactions, the money ledger and the runs that wrote them';
comment on table subledger.settings is 'One row: what the access rule grants beyond the store''s word, and the last seal given';
comment on column subledger.settings.only_row is 'Always true: there is one row';
comment on column subledger.settings.grace_buffer is 'Access granted after the expiry, to hide the latency of daily polling';
comment on column subledger.settings.unread_limit is 'Access granted after the expiry while the store is asked in vain';
comment on column subledger.settings.last_seal is 'Number of the last sealed run';
comment on table subledger.apps is 'One row per configured app; kept in step with the configuration by every job';
comment on column subledger.apps.app_id is 'The owner''s own name of the app';
comment on column subledger.apps.store is 'app_store or google_play';
comment on column subledger.apps.environment is 'Environment of its subscriptions unless they say otherwise';
comment on column subledger.apps.default_country is 'ISO 3166-1 alpha-2, assumed where the store names none';
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
comment on column subledger.runs.counts is 'Due, checked, renewed, ended and so on';
comment on column subledger.runs.host is 'Host of the leading process';
comment on column subledger.runs.process_id is 'Process id of the leader on that host';
comment on column subledger.runs.leader_generation is 'Raised when a dead leader''s run is taken over';
comment on column subledger.runs.leased_until is 'The leader is alive until then, by the database clock';
comment on table subledger.run_apps is 'The apps of a run; at most one open run per app';
comment on column subledger.run_apps.run_id is 'The run';
comment on column subledger.run_apps.app_id is 'The app';
comment on column subledger.run_apps.state is 'open, done, or stopped by its store''s failure';
comment on column subledger.run_apps.reason is 'Why it was stopped, and what to do';
comment on column subledger.run_apps.due is 'Subscriptions planned for this run; NULL until it is planned';
comment on column subledger.run_apps.closed_at is 'Database clock when the app was finished or stopped';
comment on table subledger.run_chunks is 'The work of a run: a few hundred subscriptions of one app each';
comment on column subledger.run_chunks.run_id is 'The run';
comment on column subledger.run_chunks.chunk_no is 'Order of work: those whose access ends soonest first';
comment on column subledger.run_chunks.app_id is 'The app of all its subscriptions';
comment on column subledger.run_chunks.subscription_keys is 'The subscriptions to ask about';
comment on column subledger.run_chunks.state is 'pending, leased, done, or abandoned with its stopped app';
comment on column subledger.run_chunks.generation is 'Fence: raised by each claim, checked by the commit';
comment on column subledger.run_chunks.leased_by is 'Worker that holds it';
comment on column subledger.run_chunks.leased_until is 'End of the lease by the database clock';
comment on column subledger.run_chunks.attempts is 'Claims so far';
comment on column subledger.run_chunks.expected is 'Rows that were to be staged';
comment on column subledger.run_chunks.staged is 'Rows found in staging';
comment on column subledger.run_chunks.changed is 'Transactions that changed';
comment on column subledger.run_chunks.counts is 'What the chunk did: checked, renewed, ended, refunded and so on';
