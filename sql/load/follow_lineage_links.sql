-- The line of every subscription that the new links touch: the key of the oldest purchase known in its chain.
-- Grain: one row per subscription whose line or predecessor changed. $1 later keys of the new links
with recursive touched as (
    select key from unnest($1::bigint[]) as later (key)
    union
    select link.subscription_key
    from touched
    join subledger.lineage_links link on link.linked_subscription_key = touched.key
),

-- From each touched purchase back to the first; a chain that goes in a circle ends where it closes.
chain as (
    select key as subscription_key, key as ancestor, array[key] as path from touched
    union all
    select chain.subscription_key, link.linked_subscription_key, chain.path || link.linked_subscription_key
    from chain
    join subledger.lineage_links link on link.subscription_key = chain.ancestor
    where not link.linked_subscription_key = any (chain.path)
),

rooted as (
    select distinct on (subscription_key) subscription_key, ancestor as root, path[2] as earlier
    from chain
    order by subscription_key, cardinality(path) desc, ancestor
)

update subledger.subscriptions as held set lineage_key = rooted.root, linked_to = rooted.earlier
from rooted
where held.subscription_key = rooted.subscription_key
    and (held.lineage_key, held.linked_to) is distinct from (rooted.root, rooted.earlier)
