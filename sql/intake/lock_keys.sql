-- Locks all keys that purchases may change, in key order, as every load does: what they continue, and the lineages that new links
-- join, too, so that the load that follows waits for no other. Grain: one row per key. $1 run, $2 chunk, $3 keys,
-- $4 both ends of new links
insert into subledger.stage_keys (subscription_key, run_id, chunk_no)
select changed.key, $1::bigint, $2::integer
from (
    select unnest($3::bigint[]) as key
    union
    select link.linked_subscription_key
    from subledger.lineage_links link
    where link.subscription_key = any ($3::bigint[])
    union
    select subscription_key
    from subledger.subscriptions
    where lineage_key = any (array(
        select lineage_key from subledger.subscriptions where subscription_key = any ($4::bigint[])
    ))
) changed
order by changed.key
