-- Statements about the chunks of a run and their counts. An intake's, beside a night, are none of the night's.

-- name: claim_chunk
-- Claims the next free chunk of a run for one worker, raising its fence. A worker is at one chunk at a time: what it has leased
-- already was claimed by a try whose answer was lost. The run is not sealed before the claim is in: its seal sees the chunk.
-- Grain: one row, none when nothing is left, the run is sealed or over, or another process leads it. $1 run, $2 apps, $3 worker,
-- $4 lease (seconds), $5 generation of its leader (NULL: a host claims that does not lead)
with open as materialized (
    select led.run_id
    from subledger.runs led
    where led.run_id = $1::bigint
        and led.leader_generation = coalesce($5::bigint, led.leader_generation)
        and led.outcome = 'running'
        and led.seal is null
    for key share of led
)

update subledger.run_chunks as chunk set
    state = 'leased',
    generation = chunk.generation + 1,
    attempts = chunk.attempts + 1,
    leased_by = $3::text,
    leased_until = clock_timestamp() + $4::bigint * interval '1 second'
from (
    select run_id, chunk_no
    from subledger.run_chunks
    where run_id = (select open.run_id from open)
        and app_id = any ($2::text[])
        and not is_beside
        and (state = 'pending' or (state = 'leased' and (leased_until < clock_timestamp() or leased_by = $3::text)))
    order by chunk_no
    limit 1
    for update skip locked
) as free
where chunk.run_id = free.run_id and chunk.chunk_no = free.chunk_no
returning
    chunk.chunk_no, chunk.app_id, chunk.generation,
    coalesce(chunk.remaining_keys, chunk.subscription_keys) as subscription_keys

-- name: renew_chunks
-- Workers are still at their chunks. One that is being loaded is locked, which keeps claims off as well: it is passed over.
-- Grain: one row per chunk whose fence holds. $1 run, $2 chunks, $3 their generations, $4 lease (seconds)
update subledger.run_chunks as chunk set leased_until = clock_timestamp() + $4::bigint * interval '1 second'
from (
    select leased.run_id, leased.chunk_no
    from subledger.run_chunks leased
    join unnest($2::bigint[], $3::bigint[]) as own (chunk_no, generation)
        on own.chunk_no = leased.chunk_no and own.generation = leased.generation
    where leased.run_id = $1::bigint and leased.state = 'leased'
    for update of leased skip locked
) as own
where chunk.run_id = own.run_id and chunk.chunk_no = own.chunk_no
returning chunk.chunk_no

-- name: release_chunks
-- Frees the chunks whose lease is over, as a new leader does, and a host that could claim none of them; those that living workers are at
-- stay theirs. One that is locked is passed over: it is being loaded, or its worker is frozen in that; who claims it raises its fence.
-- $1 run
update subledger.run_chunks as chunk set
    state = 'pending', leased_by = null, leased_until = null, generation = chunk.generation + 1
from (
    select run_id, chunk_no
    from subledger.run_chunks
    where run_id = $1::bigint and state = 'leased' and leased_until < clock_timestamp() and not is_beside
    for update skip locked
) as overdue
where chunk.run_id = overdue.run_id and chunk.chunk_no = overdue.chunk_no

-- name: reopen_undecided
-- A run is resumed: checks whose rows the database refused are due still and were not reached by the run; their chunks are done but
-- for them. What is deferred waits for its decision.
-- Grain: one row per chunk, none where the run is sealed or over, or another process leads it by now. $1 run, $2 apps that are not
-- stopped, $3 the run's now, $4 generation of its leader
update subledger.run_chunks as chunk set state = 'pending', remaining_keys = undecided.keys
from (
    select done.chunk_no, array_agg(stored.subscription_key order by stored.subscription_key) as keys
    from subledger.run_chunks done
    join subledger.run_plan plan on plan.run_id = done.run_id and plan.chunk_no = done.chunk_no
    join subledger.subscriptions stored on stored.subscription_key = plan.subscription_key
    where done.run_id = $1::bigint
        and done.state = 'done'
        and done.app_id = any ($2::text[])
        and stored.next_check_at <= $3::timestamptz
        and stored.last_run_id is distinct from $1::bigint
        and not exists (
            select from subledger.deferred_checks deferred
            where deferred.run_id = $1::bigint
                and deferred.chunk_no = done.chunk_no
                and stored.subscription_key = any (deferred.subscription_keys)
        )
    group by done.chunk_no
) undecided
where chunk.run_id = $1::bigint
    and chunk.chunk_no = undecided.chunk_no
    and exists (
        select from subledger.runs led
        where led.run_id = $1::bigint
            and led.leader_generation = $4::bigint
            and led.outcome = 'running'
            and led.seal is null
    )

-- name: list_suspicions
-- How the checks of an app ended in a run where that may point to a setting, whichever host made them, deferred or loaded.
-- Grain: one row per name. $1 run, $2 app
select substr(counted.name, length('suspicion.') + 1) as name, sum(counted.count::bigint)::bigint as checks
from (
    select counts from subledger.run_chunks where run_id = $1::bigint and app_id = $2::text and not is_beside
    union all
    select counts from subledger.deferred_checks where run_id = $1::bigint and app_id = $2::text
) made
cross join lateral jsonb_each_text(made.counts) as counted (name, count)
where starts_with(counted.name, 'suspicion.')
group by counted.name
order by counted.name collate "C"

-- name: list_deferred
-- Checks of a run that wait for a decision; those of a chunk that is abandoned with its app stay due.
-- Grain: one row per load. $1 run, $2 apps
select deferred.app_id, deferred.chunk_no, deferred.load, cardinality(deferred.subscription_keys) as checks
from subledger.deferred_checks deferred
join subledger.run_chunks chunk
    on chunk.run_id = deferred.run_id and chunk.chunk_no = deferred.chunk_no and chunk.state <> 'abandoned'
where deferred.run_id = $1::bigint and deferred.app_id = any ($2::text[])
order by deferred.app_id collate "C", deferred.chunk_no, deferred.load

-- name: count_undecided
-- A night comes to its seal when all its checks are decided on, but for those of apps that were stopped and of abandoned chunks, which
-- count as unread: what is deferred still would be neither booked nor named. Grain: one row. $1 run
select coalesce(sum(cardinality(deferred.subscription_keys)), 0)::bigint as checks
from subledger.deferred_checks deferred
join subledger.run_apps part on part.run_id = deferred.run_id and part.app_id = deferred.app_id and part.state = 'open'
join subledger.run_chunks chunk
    on chunk.run_id = deferred.run_id and chunk.chunk_no = deferred.chunk_no and chunk.state <> 'abandoned'
where deferred.run_id = $1::bigint

-- name: forget_deferred
-- A run that has ended decides nothing more: what is deferred still is of apps that were stopped, and stays due. $1 run
delete from subledger.deferred_checks where run_id = $1::bigint

-- name: abandon_chunks
-- What is left of stopped apps is not worked on any more; nothing where another process leads the run by now.
-- $1 run, $2 apps, $3 generation of its leader
update subledger.run_chunks set state = 'abandoned', leased_by = null, leased_until = null
where run_id = $1::bigint
    and app_id = any ($2::text[])
    and state in ('pending', 'leased')
    and not is_beside
    and exists (
        select from subledger.runs led
        where led.run_id = $1::bigint and led.leader_generation = $3::bigint and led.outcome = 'running'
    )

-- name: count_chunks
-- Grain: one row. $1 run
select count(*) as chunks from subledger.run_chunks where run_id = $1::bigint and not is_beside

-- name: count_undone
-- What of a run is still to be done, in one look, for a chunk that is loaded meanwhile may leave checks to be decided on: chunks to be
-- worked on, and loads that wait for a decision. Grain: one row. $1 run, $2 apps that are not stopped
select
    count(*) filter (where chunk.state in ('pending', 'leased')) as chunks,
    count(*) filter (
        where exists (
            select from subledger.deferred_checks deferred
            where deferred.run_id = chunk.run_id and deferred.chunk_no = chunk.chunk_no
        )
    ) as undecided
from subledger.run_chunks chunk
where chunk.run_id = $1::bigint and chunk.app_id = any ($2::text[]) and chunk.state <> 'abandoned' and not chunk.is_beside

-- name: count_lost_chunks
-- A night comes to its seal when no chunk of an app that goes on is left to be worked on. One that is there all the same was done, and the
-- database has lost since what it had confirmed: a standby that lagged behind took its place. Or a host that lives is at it (`leased`).
-- Within the transaction that seals, after `lock_to_seal`, it sees every claim that was made. Grain: one row. $1 run
select count(*) as chunks, count(*) filter (where chunk.state = 'leased' and chunk.leased_until >= clock_timestamp()) as leased
from subledger.run_chunks chunk
join subledger.runs led on led.run_id = chunk.run_id and led.job = 'nightly'
join subledger.run_apps part on part.run_id = chunk.run_id and part.app_id = chunk.app_id and part.state = 'open'
where chunk.run_id = $1::bigint and chunk.state in ('pending', 'leased') and not chunk.is_beside

-- name: list_open_apps
-- The part of a run that no worker has started, or that is not finished. Grain: one row per app. $1 run
select app_id, sum(cardinality(coalesce(remaining_keys, subscription_keys)))::bigint as subscriptions
from subledger.run_chunks
where run_id = $1::bigint and state in ('pending', 'leased') and not is_beside
group by app_id
order by app_id collate "C"

-- name: list_unanswered_apps
-- Apps of a run that were asked and got no answer at all: no state, no word about an id, no notifications.
-- Grain: one row per app. $1 run
select app_id, sum((counts ->> 'unread')::bigint)::bigint as checks
from subledger.run_chunks
where run_id = $1::bigint and not is_beside
group by app_id
having sum((counts ->> 'unread')::bigint) > 0
    and sum((counts ->> 'answered')::bigint) = 0
    and not exists (
        select from subledger.notification_pulls pull
        where pull.app_id = run_chunks.app_id and pull.recorded_run_id = $1::bigint
    )
order by app_id collate "C"

-- name: list_answered_apps
-- Apps of a run whose store answered anything. Grain: one row per app. $1 run
select app_id
from subledger.run_chunks
where run_id = $1::bigint and not is_beside
group by app_id
having sum((counts ->> 'answered')::bigint) > 0
union
select app_id from subledger.notification_pulls where recorded_run_id = $1::bigint
order by app_id

-- name: list_failed_checks
-- Apps of a run too many of whose checks failed: more than four, and more than one in a hundred. What was out of
-- reach before the run does not count.
-- Grain: one row per app. $1 run
select
    app_id, sum((counts ->> 'checked')::bigint + (counts ->> 'unread')::bigint)::bigint as checks,
    sum((counts ->> 'failed')::bigint)::bigint as failed
from subledger.run_chunks
where run_id = $1::bigint and not is_beside
group by app_id
having sum((counts ->> 'failed')::bigint) > 4
    and sum((counts ->> 'failed')::bigint) * 100 > sum((counts ->> 'checked')::bigint + (counts ->> 'unread')::bigint)
order by app_id collate "C"

-- name: count_unknown_values
-- What there was in the stores' answers to a run that this version does not know, by name.
-- Grain: one row per name. $1 run
select counted.name, sum(counted.count::bigint)::bigint as times
from subledger.run_chunks chunk
cross join lateral jsonb_each_text(chunk.counts) as counted (name, count)
where chunk.run_id = $1::bigint and not chunk.is_beside and starts_with(counted.name, 'unknown_value.')
group by counted.name
order by counted.name collate "C"

-- name: abandon_beside
-- What intakes worked on beside a run that has ended: they go on in runs of their own. $1 run
update subledger.run_chunks set state = 'abandoned', leased_by = null, leased_until = null
where run_id = $1::bigint and is_beside and state = 'leased'

-- name: forget_plan
-- A run that has ended plans nothing more. Grain: one row per subscription and chunk. $1 run
delete from subledger.run_plan where run_id = $1::bigint
