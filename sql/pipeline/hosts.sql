-- Statements of the hosts of a night: its leader's and those that `work` beside it.

-- name: find_night_to_join
-- The oldest open night of any of these apps, whether its leader lives or not. Grain: one row, none where there is none. $1 apps
select night.run_id, night.logical_now, night.is_audit, night.leader_generation
from subledger.runs night
where night.outcome = 'running'
    and night.seal is null
    and night.job = 'nightly'
    and exists (
        select from subledger.run_apps part where part.run_id = night.run_id and part.app_id = any ($1::text[])
    )
order by night.run_id
limit 1

-- name: look_at_night
-- How a night is: what its hosts look at while they work. time_left is NULL where it has no limit.
-- Grain: one row, none where there is no such run. $1 run
select
    outcome = 'running' and seal is null as is_open, leader_generation,
    coalesce(leased_until > clock_timestamp(), false) as is_led,
    (extract(epoch from finish_by - clock_timestamp()) * 1000000)::bigint as time_left
from subledger.runs
where run_id = $1::bigint

-- name: was_sealed_since
-- Whether a night of any of these apps was sealed since then, by the database's clock. Grain: one row. $1 apps, $2 since
select exists (
    select from subledger.runs night
    join subledger.run_apps part on part.run_id = night.run_id
    where night.job = 'nightly' and night.sealed_at >= $2::timestamptz and part.app_id = any ($1::text[])
) as is_so

-- name: have_apps_had_date
-- Whether each of these apps has had a business date: a sealed night of it finished the app, and not late.
-- Grain: one row. $1 apps, $2 business date
select not exists (
    select from unnest($1::text[]) as own (app_id)
    where not exists (
        select from subledger.runs night
        join subledger.run_apps part on part.run_id = night.run_id
        where night.job = 'nightly'
            and night.seal is not null
            and night.business_date = $2::date
            and part.app_id = own.app_id
            and part.state <> 'stopped'
    )
) as is_so

-- name: list_claimable_apps
-- Apps of a run that have a chunk which any worker may claim (`claim_chunk`). Grain: one row per app. $1 run, $2 apps,
-- $3 generation of its leader (NULL: a host asks that does not lead)
select distinct app_id
from subledger.run_chunks
where run_id = $1::bigint
    and app_id = any ($2::text[])
    and not is_beside
    and (state = 'pending' or (state = 'leased' and leased_until < clock_timestamp()))
    and exists (
        select from subledger.runs led
        where led.run_id = $1::bigint
            and led.leader_generation = coalesce($3::bigint, led.leader_generation)
            and led.outcome = 'running'
            and led.seal is null
    )
order by app_id

-- name: count_open_work
-- What is left to be worked on, in one look: a chunk that is claimed or given up meanwhile is either. `leased`: living workers are at
-- so many chunks, of whatever app, and what they were answered is yet to be loaded; `free`: so many any worker may claim.
-- Grain: one row. $1 run, $2 apps that are not stopped
with clock as materialized (select clock_timestamp() as instant)

select
    count(*) filter (where chunk.state = 'leased' and chunk.leased_until >= clock.instant) as leased,
    count(*) filter (
        where chunk.app_id = any ($2::text[])
            and (chunk.state = 'pending' or (chunk.state = 'leased' and chunk.leased_until < clock.instant))
    ) as free
from subledger.run_chunks chunk
cross join clock
where chunk.run_id = $1::bigint and chunk.state in ('pending', 'leased') and not chunk.is_beside

-- name: list_overdue_hosts
-- Hosts of a run whose lease on a chunk is over, and its leader where that on the run is: how the names of their sessions end.
-- Grain: one row per host. $1 run
select distinct ' host ' || substring(leased_by from '^.*?:(\d+:\d+):') as session_name
from subledger.run_chunks
where run_id = $1::bigint
    and state = 'leased'
    and leased_until < clock_timestamp()
    and leased_by ~ '^.*?:\d+:\d+:'
    and not is_beside
union
select ' run ' || run_id || '.' || leader_generation
from subledger.runs
where run_id = $1::bigint and outcome = 'running' and not coalesce(leased_until > clock_timestamp(), false)
order by session_name

-- name: await_overdue_chunks
-- Waits for who has locked chunks whose lease is over, as no claim does, and not for ever: a lock that lasts longer is looked into again.
-- Grain: one row per chunk. $1 run, $2 how long at most
with limited as (select set_config('lock_timeout', $2::text, true) as waiting)

select chunk.chunk_no
from subledger.run_chunks chunk
cross join limited
where chunk.run_id = $1::bigint and chunk.state = 'leased' and chunk.leased_until < clock_timestamp() and not chunk.is_beside
for update of chunk

-- name: give_up_chunks
-- A host leaves: what its workers were at is free at once, and what they still write is refused.
-- Grain: one row per chunk. $1 run, $2 the host's workers: what their names begin with
update subledger.run_chunks set state = 'pending', leased_by = null, leased_until = null, generation = generation + 1
where run_id = $1::bigint and state = 'leased' and starts_with(leased_by, $2::text) and not is_beside

-- name: note_host
-- How far a host has come with a run, and what it has spent, app by app: all in all, so that a note which is sent twice counts once, and
-- one that is overtaken by the next, over another session, takes nothing back.
-- Grain: one row per app. $1 run, $2 host (its process's name), $3 machine, $4 process, $5 apps, $6 calls, $7 retries, $8 chunks,
-- $9 checks, $10 those of the apps of which their store answered anything well
insert into subledger.run_hosts as stored (
    run_id, host_name, app_id, machine, process_id, calls, retries, chunks, checks, was_answered, seen_at
)
select
    $1::bigint, $2::text, noted.app_id, $3::text, $4::bigint, noted.calls, noted.retries, noted.chunks, noted.checks,
    noted.app_id = any ($10::text[]), clock_timestamp()
from unnest($5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[])
    as noted (app_id, calls, retries, chunks, checks)
on conflict (run_id, host_name, app_id) do update set
    calls = greatest(stored.calls, excluded.calls),
    retries = greatest(stored.retries, excluded.retries),
    chunks = greatest(stored.chunks, excluded.chunks),
    checks = greatest(stored.checks, excluded.checks),
    was_answered = stored.was_answered or excluded.was_answered,
    seen_at = greatest(stored.seen_at, excluded.seen_at)
