-- Statements about the turn to be sealed and to write reports: one run at a time has it, as long as its lease holds.

-- name: read_report_turn
-- Whose turn it is, whether its lease holds by the database's clock, and whether this leader may take one.
-- Grain: one row. $1 run, $2 generation
select
    stored.server_process, stored.session_started_at, stored.taken_at, run.job, run.host, run.process_id, run.started_at,
    array(select part.app_id from subledger.run_apps part where part.run_id = stored.run_id order by part.app_id) as apps,
    coalesce(
        run.outcome = 'running' and run.leader_generation = stored.leader_generation
        and run.leased_until > clock_timestamp() and (run.run_id <> $1::bigint or run.leader_generation <> $2::bigint), false
    ) as is_leased,
    exists (
        select from subledger.runs own
        where own.run_id = $1::bigint and own.leader_generation = $2::bigint and own.outcome = 'running'
    ) as is_leading
from subledger.report_turn stored
left join subledger.runs run on run.run_id = stored.run_id

-- name: lock_report_turn
-- What is read of the turn after this is so until the end of the transaction. Grain: one row
select stored.only_row from subledger.report_turn stored for update

-- name: take_report_turn
-- Takes the turn, where the lease of the run that has it is over. After lock_report_turn, in a statement of its own: it sees what the
-- one before it did. Grain: one row, none where the turn is another run's or the run another leader's. $1 run, $2 generation
update subledger.report_turn set
    run_id = $1::bigint,
    leader_generation = $2::bigint,
    server_process = pg_backend_pid(),
    session_started_at = subledger.session_start(pg_backend_pid()),
    taken_at = clock_timestamp()
where exists (
    select from subledger.runs run
    where run.run_id = $1::bigint and run.leader_generation = $2::bigint and run.outcome = 'running'
)
    and not exists (
        select from subledger.runs other
        where other.run_id = report_turn.run_id
            and other.leader_generation = report_turn.leader_generation
            and (other.run_id <> $1::bigint or other.leader_generation <> $2::bigint)
            and other.outcome = 'running'
            and other.leased_until > clock_timestamp()
    )
returning report_turn.run_id

-- name: confirm_report_turn
-- The fence: it is still this leader's turn, and stays it until the end of this transaction. It may write in another session
-- than the one that took the turn. Grain: one row, none where it is not. $1 run, $2 generation
update subledger.report_turn set
    server_process = pg_backend_pid(), session_started_at = subledger.session_start(pg_backend_pid())
where report_turn.run_id = $1::bigint
    and report_turn.leader_generation = $2::bigint
    and exists (
        select from subledger.runs run
        where run.run_id = $1::bigint and run.leader_generation = $2::bigint and run.outcome = 'running'
    )
returning report_turn.run_id

-- name: end_report_turn
-- Lets the next run write its reports. Grain: one row, none where the turn is another's. $1 run, $2 generation
update subledger.report_turn set
    run_id = null, leader_generation = null, server_process = null, session_started_at = null, taken_at = null
where run_id = $1::bigint and leader_generation = $2::bigint
