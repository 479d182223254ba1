-- What became of purchases; the ids they name are kept beside what they became.
-- Grain: one row per purchase. $1 purchases, $2 states, $3 genuine, $4 ours, $5 new, $6 current, $7 reasons,
-- $8 subscriptions, $9 products, $10 transactions, $11 run, $12 the run's now
update subledger.purchase_inbox as stored set
    state = assessed.state,
    genuine = assessed.genuine::boolean,
    ours = assessed.ours::boolean,
    is_new = assessed.is_new::boolean,
    is_current = assessed.is_current::boolean,
    reason = assessed.reason,
    subscription_key = assessed.subscription_key::bigint,
    product_id = coalesce(assessed.product_id, stored.product_id),
    transaction_id = coalesce(assessed.transaction_id, stored.transaction_id),
    attempts = stored.attempts + 1,
    last_run_id = $11::bigint,
    checked_at = case when assessed.state <> 'pending' then $12::timestamptz end
from unnest(
    $1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::text[]
) as assessed (
    purchase_id, state, genuine, ours, is_new, is_current, reason, subscription_key, product_id, transaction_id
)
where stored.purchase_id = assessed.purchase_id and stored.state = 'pending'
