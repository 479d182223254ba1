-- The line of every subscription that the new links touch: the key of the oldest purchase known in its chain.
-- Links and subscriptions are found by key (offset 0, array): a recursion's size is guessed, and each chunk would read them all.
-- Grain: one row per subscription whose line or predecessor changed. $1 later keys of the new links
with recursive touched as (
    select key from unnest($1::bigint[]) as later (key)
    union
    select link.subscription_key
    from touched
    cross join lateral (
        select subscription_key from subledger.lineage_links where linked_subscription_key = touched.key offset 0
    ) link
),

-- From each touched purchase back to the first; a chain that goes in a circle ends where it closes.
chain as (
    select key as subscription_key, key as ancestor, array[key] as path from touched
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

update subledger.subscriptions as held set lineage_key = rooted.root, linked_to = rooted.earlier
from rooted
where held.subscription_key = any (array(select subscription_key from rooted))
    and held.subscription_key = rooted.subscription_key
    and (held.lineage_key, held.linked_to) is distinct from (rooted.root, rooted.earlier)
