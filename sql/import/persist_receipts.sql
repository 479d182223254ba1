-- Receipts that subscriptions of an import are read from; a newer text replaces the older one.
-- Grain: one row per receipt. $1 receipt ids, $2 apps, $3 receipts
insert into subledger.receipts as stored (receipt_id, app_id, receipt, recorded_at)
select given.receipt_id, given.app_id, given.receipt, now()
from unnest($1::bigint[], $2::text[], $3::text[]) as given (receipt_id, app_id, receipt)
order by given.receipt_id
on conflict (receipt_id) do update set receipt = excluded.receipt, recorded_at = excluded.recorded_at
where stored.receipt is distinct from excluded.receipt
