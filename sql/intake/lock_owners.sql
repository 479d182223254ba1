-- Whose the subscriptions are that purchases are about; no other transaction changes them before this one ends.
-- Grain: one row per subscription that is registered. $1 keys
select subscription_key, account_id
from subledger.subscriptions
where subscription_key = any ($1::bigint[])
order by subscription_key
for update
