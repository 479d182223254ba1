-- Whose turn it is to be sealed and to write reports. Grain: one row.
-- The turn is a lease, and the lease is that of its run: it is over when that is, or when another process leads the run.
create table subledger.report_turn (
    only_row boolean not null default true,
    run_id bigint references subledger.runs,
    leader_generation bigint,
    server_process integer,
    session_started_at timestamptz,
    taken_at timestamptz,
    constraint report_turn_pkey primary key (only_row),
    constraint there_is_one_row check (only_row),
    constraint a_turn_is_whole check (
        num_nulls(run_id, leader_generation, server_process, session_started_at, taken_at) in (0, 5)
    )
);

comment on table subledger.report_turn is 'One row: whose turn it is to be sealed and to write reports';
comment on column subledger.report_turn.only_row is 'Always true: there is one row';
comment on column subledger.report_turn.run_id is 'The run whose turn it is; NULL: none has it';
comment on column subledger.report_turn.leader_generation is 'Of its leader that took the turn: a later one takes its own';
comment on column subledger.report_turn.server_process is 'Process id of its session on the server: whoever takes the turn after the lease ends it';
comment on column subledger.report_turn.session_started_at is 'When that session began: process ids come again';
comment on column subledger.report_turn.taken_at is 'Database clock when the turn was taken';

insert into subledger.report_turn default values;
