-- The store's answers as received; the same content is kept once. The documents of one check stand or fall together:
-- they are evidence where what they said became a version or a state change, and evidence is never cleared.
-- Grain: one row per answer without a body that is evidence and no longer held: it has to be sent with its body.
-- $1 keys, $2 hashes, $3 apps, $4 endpoints, $5 bodies, NULL: it is held already, $6 run, $7 the run's now, $8 chunk
with answer as (
    select distinct on (key, content_hash) key, content_hash, app_id, endpoint, body
    from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[]) as received (
        key, content_hash, app_id, endpoint, body)
    order by key, content_hash
),

cited as (
    select distinct answer.key
    from answer
    where exists (
            select from subledger.stage_changes change
            where change.run_id = $6::bigint
                and change.chunk_no = $8::integer
                and change.answer_hash = answer.content_hash
        )
        or exists (
            select from subledger.state_changes change
            where change.subscription_key = answer.key
                and change.run_id = $6::bigint
                and change.answer_hash = answer.content_hash
        )
),

added as (
    insert into subledger.store_answers as held (
        subscription_key, content_hash, app_id, endpoint, body, run_id, answered_at, is_evidence
    )
    select
        answer.key, answer.content_hash, answer.app_id, answer.endpoint, answer.body, $6::bigint, $7::timestamptz,
        cited.key is not null
    from answer
    left join cited on cited.key = answer.key
    where answer.body is not null
    on conflict (subscription_key, content_hash) do update set is_evidence = true
    where excluded.is_evidence and not held.is_evidence
),

promoted as (
    update subledger.store_answers held set is_evidence = true
    from answer
    join cited on cited.key = answer.key
    where answer.body is null
        and held.subscription_key = answer.key
        and held.content_hash = answer.content_hash
        and not held.is_evidence
    returning held.subscription_key, held.content_hash
)

select answer.key as subscription_key, answer.content_hash
from answer
join cited on cited.key = answer.key
where answer.body is null
    and not exists (
        select from subledger.store_answers held
        where held.subscription_key = answer.key and held.content_hash = answer.content_hash and held.is_evidence
    )
    and not exists (
        select from promoted
        where promoted.subscription_key = answer.key and promoted.content_hash = answer.content_hash
    )
