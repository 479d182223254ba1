-- Issues whose folders the owner no longer keeps, append-only. Grain: one row per issue that was pruned; its record stays.
create table subledger.pruned_issues (
    run_id bigint not null references subledger.report_issues,
    pruned_at timestamptz not null default clock_timestamp(),
    constraint pruned_issues_pkey primary key (run_id)
);

comment on table subledger.pruned_issues is 'Append-only: issues whose folders were taken away on purpose; the record of the issue stays';
comment on column subledger.pruned_issues.run_id is 'The issue, by its run';
comment on column subledger.pruned_issues.pruned_at is 'Database clock then';
