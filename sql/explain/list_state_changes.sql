-- What became of a subscription, in the order we learned it.
-- Grain: one row per change. $1 key
select
    change_id, occurred_at, recorded_at, run_id, state, state_raw, auto_renew, product_id, expires_at, grace_expires_at,
    end_reason, committed_until, renewal_price_micros, renewal_currency, answer_hash
from subledger.state_changes
where subscription_key = $1::bigint
order by change_id
