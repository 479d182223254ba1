-- The money a run learned of.
-- Grain: one row per currency. $1 run
select
    currency,
    count(*) filter (where kind = 'charge') as charges,
    coalesce(sum(amount_micros) filter (where kind in ('charge', 'correction')), 0)::bigint as gross_micros,
    coalesce(-sum(amount_micros) filter (where kind in ('refund', 'refund_reversal')), 0)::bigint as refunded_micros
from subledger.ledger_entries
where run_id = $1::bigint
group by currency
order by currency
