-- The store's answers as received; the same content is stored once. The documents of one check are retained or cleared together:
-- they are evidence where what they said became a version or a state change, and evidence is never cleared.
-- What is held is looked for by its key (offset 0, an array): tables that grow while the planner looks on would be read whole.
-- Grain: one row per answer without a body that is evidence and no longer held: it has to be sent with its body.
-- $1 keys, $2 hashes, $3 apps, $4 endpoints, $5 bodies, NULL: it is held already, $6 run, $7 the run's now, $8 chunk
with answer as (
    select distinct on (key, answer_hash) key, answer_hash, app_id, endpoint, body
    from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[]) as received (
        key, answer_hash, app_id, endpoint, body)
    order by key, answer_hash
),

cited as (
    select distinct answer.key
    from answer
    where exists (
            select from subledger.stage_changes change
            where change.run_id = $6::bigint
                and change.chunk_no = $8::integer
                and change.answer_hash = answer.answer_hash
        )
        or exists (
            select from (
                select change.run_id, change.answer_hash
                from subledger.state_changes change
                where change.subscription_key = answer.key
                offset 0
            ) change
            where change.run_id = $6::bigint and change.answer_hash = answer.answer_hash
        )
),

added as (
    insert into subledger.store_answers as stored (
        subscription_key, answer_hash, app_id, endpoint, body, run_id, answered_at, is_evidence
    )
    select
        answer.key, answer.answer_hash, answer.app_id, answer.endpoint, answer.body, $6::bigint, $7::timestamptz,
        cited.key is not null
    from answer
    left join cited on cited.key = answer.key
    where answer.body is not null
    on conflict (subscription_key, answer_hash) do update set is_evidence = true
    where excluded.is_evidence and not stored.is_evidence
),

known as (
    select answer.key, answer.answer_hash, stored.is_evidence
    from answer
    join cited on cited.key = answer.key
    left join lateral (
        select archived.is_evidence
        from subledger.store_answers archived
        where archived.subscription_key = answer.key and archived.answer_hash = answer.answer_hash
        offset 0
    ) stored on true
    where answer.body is null
),

promoted as (
    update subledger.store_answers stored set is_evidence = true
    from known
    where not known.is_evidence
        and stored.subscription_key = any (array(select key from known where not is_evidence))
        and stored.subscription_key = known.key
        and stored.answer_hash = known.answer_hash
    returning stored.subscription_key, stored.answer_hash
)

select known.key as subscription_key, known.answer_hash
from known
where known.is_evidence is not true
    and not exists (
        select from promoted
        where promoted.subscription_key = known.key and promoted.answer_hash = known.answer_hash
    )
