-- Purchases that this run, or this intake beside a night, has not looked at yet: those that were never looked at first, so that none
-- can hold up others. Grain: one row per purchase. $1 app, $2 run (NULL: beside a night), $3 at most, $4 those it has looked at
select purchase_id, account_id, kind, payload, signature, product_id, attempts
from subledger.purchase_inbox
where app_id = $1::text
    and state = 'pending'
    and ($2::bigint is null or last_run_id is distinct from $2::bigint)
    and purchase_id <> all ($4::bigint[])
order by attempts, purchase_id
limit $3::bigint
