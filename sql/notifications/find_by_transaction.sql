-- The subscriptions of an app that these transactions belong to.
-- Grain: one row per transaction and subscription. $1 app, $2 transaction ids
select distinct transaction_id, subscription_key
from subledger.transactions
where app_id = $1::text and transaction_id = any ($2::text[])
