-- What of a subscription was set aside.
-- Grain: one row per dead letter. $1 key
select stage, reason, detail, transaction_id, attempts, created_at, resolved_at
from subledger.dead_letters
where subscription_key = $1::bigint
order by dead_letter_id
