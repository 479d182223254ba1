-- Holds all that a chunk may change, in key order so that two loaders never wait for each other in a circle: the keys of
-- staged rows, those of failed checks, what the answered ones continue, and the lines that new links join, found by an array
-- of their keys: in a first night the planner would read all subscriptions for each chunk. Grain: one row per key.
-- $1 run, $2 chunk, $3 keys that are in no staged row, $4 both ends of new links
insert into subledger.stage_keys (subscription_key, run_id, chunk_no)
select changed.key, $1::bigint, $2::integer
from (
    select subscription_key as key
    from subledger.stage_transactions
    where run_id = $1::bigint and chunk_no = $2::integer
    union
    select subscription_key
    from subledger.stage_subscriptions
    where run_id = $1::bigint and chunk_no = $2::integer
    union
    select unnest($3::bigint[])
    union
    select link.linked_subscription_key
    from subledger.stage_subscriptions answered
    join subledger.lineage_links link on link.subscription_key = answered.subscription_key
    where answered.run_id = $1::bigint and answered.chunk_no = $2::integer
    union
    select subscription_key
    from subledger.subscriptions
    where lineage_key = any (array(
        select lineage_key from subledger.subscriptions where subscription_key = any ($4::bigint[])
    ))
) changed
order by changed.key
