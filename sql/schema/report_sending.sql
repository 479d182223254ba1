-- Which session sends reports. Grain: one row.
-- A row and no advisory lock: whoever may read a database may take those. It is that session's for as long as it lives.
create table subledger.report_sending (
    only_row boolean not null default true,
    server_process integer,
    session_started_at timestamptz,
    constraint report_sending_pkey primary key (only_row),
    constraint there_is_one_row check (only_row),
    constraint a_session_is_whole check (num_nulls(server_process, session_started_at) in (0, 2))
);

comment on table subledger.report_sending is 'One row: which session sends reports';
comment on column subledger.report_sending.only_row is 'Always true: there is one row';
comment on column subledger.report_sending.server_process is 'Process id of the session on the server; NULL: none sends';
comment on column subledger.report_sending.session_started_at is 'When that session began: process ids come again';

insert into subledger.report_sending default values;
