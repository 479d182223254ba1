-- Requeues the predecessor of a newly linked purchase at once, unless it has ended: its store has cut it short, and its own
-- check was not due yet, or looked at its charges only. Runs after update_subscriptions, which would put the check off again.
-- Links are found by the chunk's keys, an array: in a first night one purchase in seven has one, and each chunk would read
-- all of them. Grain: one row per predecessor that has not ended, of a link that this run recorded and of which this chunk
-- answered either purchase. $1 run, $2 chunk
with answered as (
    select array(
        select subscription_key
        from subledger.stage_subscriptions
        where run_id = $1::bigint and chunk_no = $2::integer
    ) as keys
),

predecessors as (
    select linked_subscription_key as key
    from subledger.lineage_links
    where recorded_run_id = $1::bigint and subscription_key = any ((select keys from answered)::bigint[])
    union
    select linked_subscription_key
    from subledger.lineage_links
    where recorded_run_id = $1::bigint and linked_subscription_key = any ((select keys from answered)::bigint[])
)

update subledger.subscriptions as stored set next_check_at = '-infinity', next_check_reason = 'registered'
where stored.subscription_key = any (array(select key from predecessors))
    and stored.state not in ('expired', 'revoked')
    and stored.next_check_at is distinct from '-infinity'
