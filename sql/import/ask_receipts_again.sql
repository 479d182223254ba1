-- A receipt that was handed in before, and whose subscriptions are known by now: they are asked about at once.
-- Grain: one row per line of such a receipt. $1 line numbers, $2 apps, $3 receipts (bare: without a store key)
with given as (
    select
        line.line_no,
        subledger.subscription_key(
            line.app_id,
            'receipt-of-' || subledger.subscription_key(
                line.app_id,
                'receipt-' || left(encode(sha256(convert_to(line.receipt, 'UTF8')), 'hex'), 32))::text) as receipt_id
    from unnest($1::bigint[], $2::text[], $3::text[]) as line (line_no, app_id, receipt)
),

asked as (
    update subledger.subscriptions
    set next_check_at = '-infinity', next_check_reason = 'registered'
    where receipt_id in (select receipt_id from given) and store_key not like 'receipt-%'
    returning receipt_id
)

select given.line_no
from given
where given.receipt_id in (select receipt_id from asked)
