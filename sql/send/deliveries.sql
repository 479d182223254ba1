-- Statements about what was said of which issue to whom.

-- name: lock_sending
-- What is read of it after this is so until the end of the transaction. Grain: one row
select stored.only_row from subledger.report_sending stored for update

-- name: take_sending
-- One call at a time sends, for as long as its session lives: that of another role is there without its beginning. The session that
-- sends may take it again. After lock_sending, in a statement of its own: it sees what the one before it did.
-- Grain: one row, none where another session sends
update subledger.report_sending set
    server_process = pg_backend_pid(), session_started_at = subledger.session_start(pg_backend_pid())
where not exists (
    select from pg_catalog.pg_stat_activity other
    where other.pid = report_sending.server_process
        and other.pid <> pg_backend_pid()
        and coalesce(subledger.session_start(other.pid) = report_sending.session_started_at, true)
)
returning report_sending.only_row

-- name: end_sending
-- Lets the next one send. Grain: one row, none where another session sends
update subledger.report_sending set server_process = null, session_started_at = null
where report_sending.server_process = pg_backend_pid()
    and report_sending.session_started_at = subledger.session_start(pg_backend_pid())

-- name: newest_issue
-- The issue that was sealed last of those in a folder. Grain: one row, none where nothing was issued there. $1 the reports' folder
select issued.seal, issued.path, issued.manifest_sha256
from subledger.report_issues issued
where left(issued.path, length($1::text) + 1) = $1::text || '/'
order by issued.seal desc
limit 1

-- name: count_unknown_values
-- Words in the stores' answers and notifications that the program did not know, of the runs since the issue before.
-- Grain: one row. $1 the issue's seal
select coalesce(sum(figure.value::bigint), 0)::bigint as number
from subledger.runs run
cross join lateral jsonb_each_text(run.counts) figure (name, value)
where run.seal <= $1::bigint
    and run.seal > coalesce((select max(earlier.seal) from subledger.report_issues earlier where earlier.seal < $1::bigint), 0)
    and (figure.name like 'unknown.%' or figure.name like 'unknown_value.%')

-- name: list_deliveries
-- What was said of an issue. wait_micros: how long no further try is due. Grain: one row per recipient and message. $1 its seal
select
    stored.recipient, stored.message, stored.state, stored.deliveries,
    greatest(extract(epoch from stored.next_try_at - clock_timestamp()) * 1000000, 0)::bigint as wait_micros
from subledger.report_deliveries stored
where stored.seal = $1::bigint
order by stored.recipient, stored.message

-- name: begin_delivery
-- An attempt begins. Grain: one row, none where the message was taken more often. $1 seal, $2 recipient, $3 message, $4 times it was
-- taken, as far as the caller knows
insert into subledger.report_deliveries as stored (seal, recipient, message, state, attempts, changed_at)
values ($1::bigint, $2::text, $3::text, 'sending', 1, clock_timestamp())
on conflict (seal, recipient, message) do update set
    state = excluded.state, attempts = stored.attempts + 1, next_try_at = null, changed_at = excluded.changed_at
where stored.deliveries = $4::bigint
returning stored.attempts

-- name: end_delivery
-- The messages that an attempt delivered, whatever became of another call's attempt meanwhile: the digest that says that data is
-- stale is both. Where it is known that the message was taken it has none.
-- Grain: one row per message. $1 seal, $2 recipient, $3 the attempt's message, $4 times it was taken before, $5 messages
insert into subledger.report_deliveries as stored (seal, recipient, message, state, attempts, deliveries, changed_at)
select $1::bigint, $2::text, message.name, 'delivered', 1, 1, clock_timestamp()
from unnest($5::text[]) message (name)
where exists (
    select from subledger.report_deliveries own
    where own.seal = $1::bigint and own.recipient = $2::text and own.message = $3::text and own.deliveries = $4::bigint
)
on conflict (seal, recipient, message) do update set
    state = excluded.state, deliveries = stored.deliveries + 1, next_try_at = null, last_error = null,
    changed_at = excluded.changed_at

-- name: fail_delivery
-- An attempt failed. Grain: one row, none where its end is known already or another call's attempt came after it.
-- $1 seal, $2 recipient, $3 message, $4 the attempt, $5 why, $6 microseconds before the next try; NULL: none
update subledger.report_deliveries set
    state = 'failed', last_error = $5::text, next_try_at = clock_timestamp() + $6::bigint * interval '1 microsecond',
    changed_at = clock_timestamp()
where seal = $1::bigint and recipient = $2::text and message = $3::text and attempts = $4::bigint and state = 'sending'
