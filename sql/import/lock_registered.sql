-- Which subscriptions are registered already, whose they are and which receipt they use; no other transaction changes them before
-- this transaction ends.
-- Grain: one row per subscription that is registered. $1 keys
select subscription_key, account_id, receipt_id
from subledger.subscriptions
where subscription_key = any ($1::bigint[])
order by subscription_key
for update
