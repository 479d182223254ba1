-- Runs whose report was issued, append-only. Grain: one row per issue, once its files are in their place.
-- Each issue's manifest holds the checksums of its files, and the next one's that of the manifest before it.
create table subledger.report_issues (
    run_id bigint not null references subledger.runs,
    seal bigint not null,
    business_date date not null,
    path text not null,
    manifest_sha256 text,
    last_seal bigint not null,
    failed_checks bigint not null default 0,
    issued_at timestamptz not null default clock_timestamp(),
    constraint report_issues_pkey primary key (run_id),
    constraint one_issue_per_seal unique (seal),
    constraint checksums_are_sha256 check (manifest_sha256 ~ '^[0-9a-f]{64}$'),
    constraint issues_follow_their_seal check (last_seal >= seal),
    constraint failed_checks_are_not_negative check (failed_checks >= 0)
);

comment on table subledger.report_issues is 'Append-only: the runs whose report was issued; one row once its files are in place';
comment on column subledger.report_issues.run_id is 'The night or report';
comment on column subledger.report_issues.seal is 'Its seal: the report is as of it';
comment on column subledger.report_issues.business_date is 'The last day it reports';
comment on column subledger.report_issues.path is 'The folder it was issued to';
comment on column subledger.report_issues.manifest_sha256 is 'SHA-256 of its manifest.json, in hexadecimal, which lists those of its files';
comment on column subledger.report_issues.last_seal is 'The last seal given when it was issued: later seals have this issue behind them';
comment on column subledger.report_issues.failed_checks is 'How many checks found a difference: more than none, the books do not agree';
comment on column subledger.report_issues.issued_at is 'Database clock then';
