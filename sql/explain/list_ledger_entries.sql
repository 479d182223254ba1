-- The money of a subscription, entry by entry.
-- Grain: one row per entry. $1 key
select
    transaction_id, product_id, seq, kind, corrects, occurred_at, recorded_at, run_id, amount_micros, currency, source
from subledger.ledger_entries
where subscription_key = $1::bigint
order by transaction_id, product_id, seq
