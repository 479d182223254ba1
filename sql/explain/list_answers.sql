-- The store's archived answers about a subscription, oldest first.
-- Grain: one row per answer. $1 key
select endpoint, answer_hash, answered_at, run_id, octet_length(body) as bytes, body
from subledger.store_answers
where subscription_key = $1::bigint
order by answered_at, answer_hash
