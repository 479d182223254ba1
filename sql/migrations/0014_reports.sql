-- What reports must know of how things were learned: when a store can have told a state, which reports were issued, and
-- what was unread when a run was sealed.

alter table subledger.state_changes add column told_at timestamptz;

-- A payment that was made after its run had begun: the answer that showed it told its expiry, not the one before it.
alter table subledger.state_changes disable trigger append_only;
update subledger.state_changes change set told_at = shown.purchased_at
from (
    select told.subscription_key, told.change_id, max(image.purchased_at) as purchased_at
    from subledger.state_changes told
    join subledger.transaction_versions image
        on image.subscription_key = told.subscription_key
        and image.run_id = told.run_id
        and image.answer_hash = told.answer_hash
        and image.version = 1
        and image.purchased_at > told.recorded_at
    where image.kind <> 'one_time'
    group by told.subscription_key, told.change_id
) shown
where change.subscription_key = shown.subscription_key and change.change_id = shown.change_id;
alter table subledger.state_changes enable trigger append_only;

create table subledger.report_issues (
    run_id bigint primary key references subledger.runs,
    seal bigint not null unique,
    business_date date not null,
    path text not null,
    last_seal bigint not null,
    issued_at timestamptz not null default clock_timestamp(),
    constraint issues_follow_their_seal check (last_seal >= seal)
);
create trigger append_only before update or delete on subledger.report_issues
for each row execute function subledger.refuse_rewriting_history();

-- Until now every night and every report was taken for issued: what was reported of them stays what it was.
insert into subledger.report_issues (run_id, seal, business_date, path, last_seal, issued_at)
select run.run_id, run.seal, run.business_date, '', run.seal, run.sealed_at
from subledger.runs run
where run.seal is not null and run.job in ('nightly', 'report');

alter table subledger.run_apps add column unread bigint check (unread >= 0);
create index subscriptions_unread on subledger.subscriptions (app_id)
where failures > 0 and next_check_at is not null;

comment on column subledger.state_changes.told_at is 'The earliest instant at which the store can have told it: its run''s now, or the newest charge or the end known with it, where that is later; NULL: recorded_at';
comment on table subledger.report_issues is 'Append-only: the runs whose report was issued; one row once its files stand in their place';
comment on column subledger.report_issues.run_id is 'The night or report';
comment on column subledger.report_issues.seal is 'Its seal: the report is as of it';
comment on column subledger.report_issues.business_date is 'The last day it reports';
comment on column subledger.report_issues.path is 'The folder it was issued to; empty where that was not kept';
comment on column subledger.report_issues.last_seal is 'The last seal given when it was issued: later seals have this issue behind them';
comment on column subledger.report_issues.issued_at is 'Database clock then';
comment on column subledger.run_apps.unread is 'Subscriptions of the app that nobody could read when the run was sealed, whichever run failed; NULL: not counted';
