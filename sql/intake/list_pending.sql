-- Purchases that this run has not looked at yet: those that were never looked at first, so that none can hold up others.
-- Grain: one row per purchase. $1 app, $2 run, $3 at most
select purchase_id, account_id, kind, payload, signature, product_id, attempts
from subledger.purchase_inbox
where app_id = $1::text
    and state = 'pending'
    and last_run_id is distinct from $2::bigint
order by attempts, purchase_id
limit $3::bigint
