-- Statements about checks that may have failed for a wrong setting.

-- name: defer_checks
-- With the load of the rest of its chunk. Grain: one row. $1 run, $2 chunk, $3 load, $4 app, $5 subscriptions, $6 counts, $7 rows
insert into subledger.deferred_checks (run_id, chunk_no, load, app_id, subscription_keys, counts, rows)
values ($1::bigint, $2::integer, $3::bigint, $4::text, $5::bigint[], $6::jsonb, $7::text)

-- name: take_deferred
-- Takes checks to be loaded, each of them once; the chunk's row is locked before (`lock_chunk`). The run is not sealed before this
-- transaction ends.
-- Grain: one row, none where another host has taken them, another process leads the run by now, or it is sealed.
-- $1 run, $2 chunk, $3 load, $4 generation of its leader (NULL: a host takes them that does not lead)
with open as materialized (
    select led.run_id
    from subledger.runs led
    -- Who finds each to be what it seems, and has counted before another host found a wrong setting, takes none.
    join subledger.deferred_checks waiting
        on waiting.run_id = led.run_id and waiting.chunk_no = $2::integer and waiting.load = $3::bigint
    left join subledger.run_apps part
        on part.run_id = led.run_id and part.app_id = waiting.app_id
    where led.run_id = $1::bigint
        and led.leader_generation = coalesce($4::bigint, led.leader_generation)
        and led.outcome = 'running'
        and led.seal is null
        and part.failure ->> 'reason' is distinct from 'wrong_setting'
    for key share of led
)

delete from subledger.deferred_checks deferred
using open
where deferred.run_id = open.run_id and deferred.chunk_no = $2::integer and deferred.load = $3::bigint
returning deferred.subscription_keys, deferred.rows

-- name: reopen_chunk
-- What was deferred of a chunk cannot be read: it is asked again, beside what else is still to be asked of the chunk. Who is at it
-- loads nothing more of it. Grain: one row, none where the chunk is abandoned with its app. $1 run, $2 chunk, $3 subscriptions
update subledger.run_chunks as chunk set
    state = 'pending',
    leased_by = null,
    leased_until = null,
    generation = chunk.generation + 1,
    remaining_keys = array(
        select distinct open.subscription_key
        from unnest(
            $3::bigint[] || case when chunk.state = 'done' then '{}' else coalesce(chunk.remaining_keys, chunk.subscription_keys) end
        ) as open (subscription_key)
        order by open.subscription_key
    )
where chunk.run_id = $1::bigint and chunk.chunk_no = $2::integer and chunk.state <> 'abandoned' and not chunk.is_beside
returning chunk.chunk_no
