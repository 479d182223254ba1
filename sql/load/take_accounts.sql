-- A subscription under one of whose later transactions somebody registered it goes to the same account, where it has none.
-- Grain: one row per such subscription. $1 keys that were registered, $2 keys of the subscriptions they stood for
update subledger.subscriptions held set account_id = registered.account_id
from (
    select distinct on (stand_in.original) stand_in.original, later.account_id
    from unnest($1::bigint[], $2::bigint[]) as stand_in (later, original)
    join subledger.subscriptions later on later.subscription_key = stand_in.later
    where later.account_id is not null
    order by stand_in.original, stand_in.later
) registered
where held.subscription_key = registered.original and held.account_id is null
