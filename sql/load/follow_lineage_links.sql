-- The lineage of every subscription that the new links affect: the key of the oldest purchase known in its chain.
-- Links and subscriptions are found by key (offset 0, array): a recursion's size is guessed, and each chunk would read them all.
-- Grain: one row per subscription whose line or predecessor changed. $1 later keys of the new links
with recursive changed as (
    select key from unnest($1::bigint[]) as later (key)
    union
    select link.subscription_key
    from changed
    cross join lateral (
        select subscription_key from subledger.lineage_links where linked_subscription_key = changed.key offset 0
    ) link
),

-- From each affected purchase back to the first; a chain that goes in a circle ends where it closes.
chain as (
    select key as subscription_key, key as ancestor, array[key] as path from changed
    union all
    select chain.subscription_key, link.linked_subscription_key, chain.path || link.linked_subscription_key
    from chain
    cross join lateral (
        select linked_subscription_key from subledger.lineage_links where subscription_key = chain.ancestor offset 0
    ) link
    where not link.linked_subscription_key = any (chain.path)
),

rooted as (
    select distinct on (subscription_key) subscription_key, ancestor as root, path[2] as earlier
    from chain
    order by subscription_key, cardinality(path) desc, ancestor
)

update subledger.subscriptions as stored set lineage_key = rooted.root, linked_to = rooted.earlier
from rooted
where stored.subscription_key = any (array(select subscription_key from rooted))
    and stored.subscription_key = rooted.subscription_key
    and (stored.lineage_key, stored.linked_to) is distinct from (rooted.root, rooted.earlier)
