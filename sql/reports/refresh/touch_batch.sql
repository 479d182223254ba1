-- One part of all lineages, those that ever shared a subscription together. Rows whose key no subscription has (the sale of a
-- product that is no subscription) go with the lineage their transactions bear, or stand for themselves.
-- $1 which part, from 0 on, $2 how many there are
with known as (
    select subscription_key as key, lineage_key from subscriptions
    union all
    select written.key, coalesce(min(image.lineage_key), written.key)
    from (
        select subscription_key as key from transaction_versions
        union
        select subscription_key from ledger_entries
        union
        select subscription_key from state_changes
    ) written
    left join transaction_versions image on image.subscription_key = written.key
    where not exists (select from subscriptions held where held.subscription_key = written.key)
    group by written.key
)

insert into touched (key)
select distinct part.key
from known
cross join lateral (values (known.key), (known.lineage_key)) part (key)
where abs(known.lineage_key) % $2::bigint = $1::bigint
