-- A subscription under one of whose later transactions somebody registered it goes to the same account, where it has none.
-- Grain: one row per such subscription. $1 keys that were registered, $2 keys of the subscriptions they stood for
update subledger.subscriptions stored set account_id = registered.account_id
from (
    select distinct on (substitute.original) substitute.original, later.account_id
    from unnest($1::bigint[], $2::bigint[]) as substitute (later, original)
    join subledger.subscriptions later on later.subscription_key = substitute.later
    where later.account_id is not null
    order by substitute.original, substitute.later
) registered
where stored.subscription_key = registered.original and stored.account_id is null
