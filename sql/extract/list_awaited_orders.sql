-- The orders of a chunk's subscriptions that are still waited for.
-- Grain: one row per subscription and order. $1 keys
select subscription_key, transaction_id, last_asked_at, nights
from subledger.awaited_orders
where subscription_key = any ($1::bigint[])
order by subscription_key, transaction_id
