-- Statements about an intake's work beside an open night.

-- name: list_open_nights
-- Nights of these apps that have not ended and are not sealed, whether their leader lives or not.
-- Grain: one row per app that has one. $1 apps
select distinct on (part.app_id) part.app_id, night.run_id
from subledger.runs night
join subledger.run_apps part on part.run_id = night.run_id
where night.outcome = 'running'
    and night.seal is null
    and night.job = 'nightly'
    and part.app_id = any ($1::text[])
order by part.app_id, night.run_id desc

-- name: lock_open_night
-- The night is not sealed before this transaction ends; its leader's lease is renewed and taken over all the same. Who freezes in
-- such a transaction, or waits in it for others, is sent away: no night waits for an intake.
-- Grain: one row, none where the night is sealed or over. $1 run
with limited as (
    select
        set_config('idle_in_transaction_session_timeout', '10s', true) as idle,
        set_config('lock_timeout', '10s', true) as waiting
)

select night.run_id
from subledger.runs night
cross join limited
where night.run_id = $1::bigint and night.outcome = 'running' and night.seal is null
for key share of night

-- name: claim_beside
-- Claims an app's purchases for one intake, where no other one beside a night has them.
-- Grain: one row, none where one has, or took the number. $1 run, $2 app, $3 who, $4 lease (seconds)
insert into subledger.run_chunks (
    run_id, chunk_no, app_id, subscription_keys, is_beside, state, generation, leased_by, leased_until, attempts
)
select
    $1::bigint, coalesce(min(chunk_no), 0) - 1, $2::text, '{}', true, 'leased', 1, $3::text,
    clock_timestamp() + $4::bigint * interval '1 second', 1
from subledger.run_chunks
where run_id = $1::bigint and is_beside
on conflict do nothing
returning chunk_no, generation

-- name: abandon_overdue_beside
-- An intake whose lease is over has no purchases any more: they are pending. Grain: one row per chunk. $1 app
update subledger.run_chunks set state = 'abandoned', leased_by = null, leased_until = null
where app_id = $1::text and is_beside and state = 'leased' and leased_until < clock_timestamp()

-- name: find_beside
-- The intake that has an app's purchases beside a night. Grain: one row, none where none has. $1 app
select leased_by, leased_until
from subledger.run_chunks
where app_id = $1::text and is_beside and state = 'leased'

-- name: renew_beside
-- An intake is still at its purchases. Grain: one row, none where they are another's. $1 run, $2 chunk, $3 generation, $4 lease (seconds)
update subledger.run_chunks set leased_until = clock_timestamp() + $4::bigint * interval '1 second'
where run_id = $1::bigint and chunk_no = $2::integer and generation = $3::bigint and is_beside and state = 'leased'
returning chunk_no

-- name: give_up_beside
-- An intake's chunk of which nothing was booked goes. Grain: one row, none where it is not its own any more.
-- $1 run, $2 chunk, $3 generation
delete from subledger.run_chunks
where run_id = $1::bigint and chunk_no = $2::integer and generation = $3::bigint and is_beside and state = 'leased'
returning chunk_no
