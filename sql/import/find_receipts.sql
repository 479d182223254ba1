-- Receipts that are held already, by their text.
-- Grain: one row per given receipt that is. $1 apps, $2 receipts
select given.place, stored.receipt_id
from unnest($1::text[], $2::text[]) with ordinality as given (app_id, receipt, place)
cross join lateral (
    select min(known.receipt_id) as receipt_id
    from subledger.receipts known
    where known.app_id = given.app_id and md5(known.receipt) = md5(given.receipt) and known.receipt = given.receipt
) stored
where stored.receipt_id is not null
