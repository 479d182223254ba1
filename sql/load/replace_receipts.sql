-- The store's latest receipt replaces the one it was asked with.
-- Grain: one row per receipt. $1 ids, $2 receipts, $3 run, $4 the run's now
update subledger.receipts as stored set
    receipt = latest.receipt,
    recorded_at = $4::timestamptz,
    last_run_id = $3::bigint
from unnest($1::bigint[], $2::text[]) as latest (receipt_id, receipt)
where stored.receipt_id = latest.receipt_id and stored.receipt is distinct from latest.receipt
