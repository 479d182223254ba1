-- The store's latest receipt replaces the one it was asked with.
-- Grain: one row per receipt. $1 ids, $2 receipts, $3 run, $4 the run's now
update subledger.receipts as held set
    receipt = latest.receipt,
    recorded_at = $4::timestamptz,
    last_run_id = $3::bigint
from unnest($1::bigint[], $2::text[]) as latest (receipt_id, receipt)
where held.receipt_id = latest.receipt_id and held.receipt is distinct from latest.receipt
