-- Statements about runs: the ledger of who works, since when, and how it ended.

-- name: open_run
-- Opens a run; the unique index on open apps refuses a second one.
-- Grain: one row. $1 job, $2 business date, $3 now, $4 host, $5 process, $6 lease (seconds), $7 a report is to be written,
-- $8 every subscription is asked, $9 the request's number, $10 how long it may ask (microseconds; NULL: no limit)
insert into subledger.runs (
    job, business_date, logical_now, host, process_id, leased_until, report_due, is_audit, request_number, finish_by
)
values (
    $1::text, $2::date, $3::timestamptz, $4::text, $5::bigint, clock_timestamp() + $6::bigint * interval '1 second',
    $7::boolean, $8::boolean, $9::bigint, clock_timestamp() + $10::bigint * interval '1 microsecond'
)
returning run_id, leader_generation

-- name: record_migration
-- The run of a migrator: what it records is sealed with it, so that no report of an earlier seal sees it.
-- Grain: one row. $1 host, $2 process
insert into subledger.runs (
    job, business_date, logical_now, finished_at, sealed_at, seal, outcome, host, process_id
)
select
    'migrate', (now() at time zone 'UTC')::date - 1, now(), clock_timestamp(), clock_timestamp(), subledger.give_seal(), 'done',
    $1::text, $2::bigint
returning run_id

-- name: renew_run
-- The leader is alive.
-- Grain: one row, returned while it still leads. $1 run, $2 generation, $3 lease (seconds)
update subledger.runs set leased_until = clock_timestamp() + $3::bigint * interval '1 second'
where run_id = $1::bigint and leader_generation = $2::bigint and outcome = 'running'
returning run_id

-- name: leave_run
-- A leader gives its run up: it stays open without a lease, for the next run to resume or close.
-- Grain: one row. $1 run, $2 generation, $3 why
update subledger.runs set leased_until = null, failure = $3::text
where run_id = $1::bigint and leader_generation = $2::bigint and outcome = 'running'

-- name: take_over_run
-- A dead leader's run gets a new leader; the old one's generation no longer holds. It owes a report where either wants one.
-- Grain: one row, returned when the take-over succeeded. $1 run, $2 generation seen, $3 host, $4 process, $5 lease (s),
-- $6 a report is to be written, $7 the request's number, $8 how long it may ask from now on (microseconds; NULL: no limit)
update subledger.runs set
    host = $3::text,
    process_id = $4::bigint,
    leader_generation = leader_generation + 1,
    leased_until = clock_timestamp() + $5::bigint * interval '1 second',
    report_due = report_due or $6::boolean,
    request_number = $7::bigint,
    finish_by = clock_timestamp() + $8::bigint * interval '1 microsecond',
    failure = null
where run_id = $1::bigint and leader_generation = $2::bigint and outcome = 'running'
returning run_id, leader_generation

-- name: finish_run
-- Ends a run. Grain: one row, none where another process leads it now.
-- $1 run, $2 generation, $3 outcome, $4 counts, $5 why it failed; a reason that was stored before stays
update subledger.runs set
    outcome = $3::text, finished_at = clock_timestamp(), counts = $4::jsonb, leased_until = null,
    failure = coalesce(failure, $5::text)
where run_id = $1::bigint and leader_generation = $2::bigint and outcome = 'running'
returning run_id

-- name: find_requested_run
-- The run that a request has opened or taken over: its commit may have been answered to no one.
-- Grain: one row, none where the request has no run yet. $1 the request's number
select run_id, logical_now, leader_generation, is_audit, leader_generation > 1 as is_resumed
from subledger.runs
where request_number = $1::bigint and outcome = 'running'

-- name: lock_to_seal
-- Before a run is sealed: what an intake loads beside it is committed by then, and counted, or refused.
-- Grain: one row, none where another process leads it. $1 run, $2 generation
select run_id
from subledger.runs
where run_id = $1::bigint and leader_generation = $2::bigint
for update

-- name: find_own_seal
-- The seal of a run that we still lead: its commit may have been answered to no one.
-- Grain: one row, none where it is not sealed, or another process leads it. $1 run, $2 generation
select seal
from subledger.runs
where run_id = $1::bigint and leader_generation = $2::bigint and outcome = 'running' and seal is not null

-- name: find_own_ending
-- A run that has ended just so: its commit may have been answered to no one.
-- Grain: one row, none where it has not. $1 run, $2 generation, $3 outcome, $4 counts
select run_id
from subledger.runs
where run_id = $1::bigint and leader_generation = $2::bigint and outcome = $3::text and counts = $4::jsonb

-- name: clear_report_due
-- The report of a day is written: no night owes it any more. Grain: one row per run. $1 business date, $2 the report's seal
update subledger.runs set report_due = false
where business_date = $1::date and seal <= $2::bigint and report_due

-- name: read_clock
-- The database's clock. Grain: one row
select clock_timestamp() as clock

-- name: find_last_clock
-- The latest logical now that a sealed run of these apps had: a clock before it would rewrite what was reported. Whether it is
-- in the past by the database's clock: a run that was given no clock may take it.
-- Grain: one row. $1 apps
select max(r.logical_now) as logical_now, max(r.logical_now) <= clock_timestamp() as is_past
from subledger.runs r
join subledger.run_apps a on a.run_id = r.run_id
where r.seal is not null
    and r.job in ('nightly', 'notifications', 'intake', 'report')
    and a.app_id = any ($1::text[])

-- name: newest_seal
-- The run that was sealed last, whatever its job. Grain: one row, none before there is one
select run_id, logical_now, seal
from subledger.runs
where seal is not null
order by seal desc
limit 1

-- name: find_seal
-- The run of a seal, whatever its job. Grain: one row, none where there is no such seal. $1 seal
select run_id, logical_now, seal
from subledger.runs
where seal = $1::bigint

-- name: find_open_run_before
-- A run that is not sealed yet and may still belong to what is known as of an instant.
-- Grain: one row, none where all are sealed. $1 instant
select
    open.job, open.host, open.process_id, open.started_at, open.logical_now,
    array(select part.app_id from subledger.run_apps part where part.run_id = open.run_id order by part.app_id) as apps
from subledger.runs open
where open.outcome = 'running'
    and open.seal is null
    and open.job in ('nightly', 'notifications', 'intake', 'report')
    and open.logical_now <= $1::timestamptz
order by open.run_id
limit 1

-- name: last_sealed_run
-- As of an instant: the last run sealed before the first one whose clock is after it, in the order of seals. A run that is
-- sealed late, with an earlier clock, is seen only as of later instants.
-- Grain: one row, none when there is none. $1 instant
with sealed as (
    select run_id, job, business_date, logical_now, seal
    from subledger.runs
    where seal is not null and job in ('nightly', 'notifications', 'intake', 'report')
)

select run_id, job, business_date, logical_now, seal
from sealed
where seal < coalesce(
    (select min(later.seal) from sealed later where later.logical_now > $1::timestamptz), 9223372036854775807
)
order by seal desc
limit 1

-- name: find_open_runs
-- Runs of any of these apps that have not ended, with all the apps they are of, and whether their leader's lease still holds by the
-- database's clock.
-- Grain: one row per run. $1 apps
select
    r.run_id, r.job, r.business_date, r.logical_now, r.is_audit, r.host, r.process_id, r.started_at, r.seal, r.leader_generation, r.leased_until,
    coalesce(r.leased_until > clock_timestamp(), false) as is_leased,
    coalesce(r.seal = (select max(sealed.seal) from subledger.runs sealed), false) as is_last_sealed,
    array_agg(a.app_id order by a.app_id) as apps
from subledger.runs r
join subledger.run_apps a on a.run_id = r.run_id
where r.outcome = 'running'
    and exists (
        select from subledger.run_apps needed where needed.run_id = r.run_id and needed.app_id = any ($1::text[])
    )
group by r.run_id
order by r.run_id

-- name: list_living_runs
-- Runs that a process is at, by the database's clock: their leader lives, or a worker of a host or an intake beside them, whose leader
-- may be dead. They go on with the schema they began with. Where the leader is dead the process named is the worker's.
-- Grain: one row per run
select
    r.job, coalesce(worker.host, r.host) as host, coalesce(worker.process_id, r.process_id) as process_id, r.started_at,
    array(select a.app_id from subledger.run_apps a where a.run_id = r.run_id order by a.app_id) as apps
from subledger.runs r
left join lateral (
    select
        true as is_at_work, substring(chunk.leased_by from '^(.*?):\d+:\d+:') as host,
        substring(chunk.leased_by from '^.*?:(\d+):\d+:')::bigint as process_id
    from subledger.run_chunks chunk
    where chunk.run_id = r.run_id
        and chunk.state = 'leased'
        and chunk.leased_until > clock_timestamp()
        and not coalesce(r.leased_until > clock_timestamp(), false)
    order by chunk.chunk_no
    limit 1
) worker on true
where r.outcome = 'running' and (r.leased_until > clock_timestamp() or worker.is_at_work)
order by r.run_id

-- name: is_report_owed
-- Whether a night up to this date owes a report that no living run is about to write, or was left half-way.
-- Grain: one row. $1 business date
select exists (
    select from subledger.runs owing
    where owing.business_date <= $1::date
        and (owing.report_due and owing.seal is not null or owing.job = 'nightly' and owing.outcome = 'running')
        and (owing.outcome = 'running' and owing.leased_until > clock_timestamp()) is not true
) as is_owed

-- name: list_missing_reports
-- Days before this one whose night was to write a report and has not: it failed at that, or was cut. The last sealed night
-- of each day has what was known of it; is_issued: a report of the day that knew as much is recorded.
-- Grain: one row per business date, in the order of seals. $1 business date of the run that asks
select
    run_id, business_date, logical_now, seal,
    exists (
        select from subledger.report_issues issue
        where issue.business_date = last_of_day.business_date and issue.seal >= last_of_day.seal
    ) as is_issued
from (
    select distinct on (business_date) run_id, business_date, logical_now, seal
    from subledger.runs
    where report_due and seal is not null and business_date < $1::date
    order by business_date, seal desc
) last_of_day
order by seal
