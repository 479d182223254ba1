-- A subscription for whose receipt the store answered when it was last asked. Grain: one row, none where there is none. $1 app
select subscription_key
from subledger.subscriptions
where app_id = $1::text and receipt_id is not null and last_checked_at is not null and failures = 0
limit 1
