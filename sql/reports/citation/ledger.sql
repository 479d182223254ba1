-- Statements about the ledger's entries that money of an issue is made of.

-- name: mark_time
-- The lineages with any entry in a stretch of time. $1 from, $2 to (not included)
insert into pg_temp.marked_lineages (key)
select unnest(marts.whole_lineages(array(
    select entry.subscription_key
    from subledger.ledger_entries entry
    where entry.occurred_at >= $1::timestamptz and entry.occurred_at < $2::timestamptz
)))
on conflict (key) do nothing

-- name: list_entries
-- The entries at hand as the scope's seal saw them: first what they differ by in the reports of money, then what identifies
-- them, in the order of their key. Grain: one row per entry of the scope's days.
declare report_rows no scroll cursor for
select
    moved.day as date, moved.app_id, moved.store, moved.product_id, moved.country, moved.currency, moved.product_type,
    moved.refund_kind as kind, moved.subscription_key, moved.transaction_id, moved.seq, moved.kind as entry_kind,
    to_char(moved.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as occurred_at,
    moved.amount_micros, moved.source
from pg_temp.new_money_movements moved
join pg_temp.report_scope scope on moved.day >= scope.from_date and moved.day <= scope.through_date
order by moved.subscription_key, moved.transaction_id collate "C", moved.product_id collate "C", moved.seq
