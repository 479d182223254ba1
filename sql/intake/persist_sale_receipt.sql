-- The receipt that one-time sales are looked at by: the one with the same text, where there is one.
-- Grain: one row. $1 receipt id, where there is none, $2 app, $3 receipt
with stored as (
    select min(receipt_id) as receipt_id
    from subledger.receipts
    where app_id = $2::text and md5(receipt) = md5($3::text) and receipt = $3::text
),

inserted as (
    insert into subledger.receipts (receipt_id, app_id, receipt, recorded_at)
    select $1::bigint, $2::text, $3::text, now()
    from stored
    where stored.receipt_id is null
    on conflict (receipt_id) do update set receipt = excluded.receipt, recorded_at = excluded.recorded_at
    returning receipt_id
)

select coalesce(stored.receipt_id, inserted.receipt_id) as receipt_id
from stored
left join inserted on true
