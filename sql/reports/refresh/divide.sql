-- Divides all lineages into parts: those that ever shared a subscription stay together. Rows whose key no subscription has (the
-- sale of a product that is no subscription) go with the lineage their transactions bear, or are a lineage of their own.
-- $1 how many parts
with known as (
    select subscription_key as key, lineage_key from subledger.subscriptions
    union all
    select written.key, coalesce(min(image.lineage_key), written.key)
    from (
        select subscription_key as key from subledger.transaction_versions
        union
        select subscription_key from subledger.ledger_entries
        union
        select subscription_key from subledger.state_changes
    ) written
    left join subledger.transaction_versions image on image.subscription_key = written.key
    where not exists (select from subledger.subscriptions stored where stored.subscription_key = written.key)
    group by written.key
)

insert into part_keys (part, key)
select distinct abs(known.lineage_key) % $1::bigint, part.key
from known
cross join lateral (values (known.key), (known.lineage_key)) part (key)
