-- transactions.csv of an export. Grain: see the view. Instants in UTC, to the second, as in the workbook.
declare report_rows no scroll cursor for
select
    known.app_id, known.store, known.product_id, known.subscription_key, known.transaction_id, known.original_transaction_id,
    known.lineage_key, known.kind, known.country,
    to_char(known.purchased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as purchased_at,
    to_char(known.period_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as period_start,
    to_char(known.period_end at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as period_end,
    known.currency, known.price, known.tax, known.proceeds, known.price_source, known.proceeds_source,
    to_char(known.refunded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as refunded_at,
    known.refund_kind, known.refund, known.refund_source, known.billing_plan, known.environment, known.ownership
from transactions known
order by
    known.purchased_at, known.app_id collate "C", known.subscription_key, known.transaction_id collate "C",
    known.product_id collate "C"
