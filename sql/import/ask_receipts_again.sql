-- A receipt that was handed in before, and whose subscriptions are known by now: they are asked about at once, unless one
-- of them is another account's.
-- Grain: one row per line of such a receipt. $1 line numbers, $2 apps, $3 receipts (bare: without a store key),
-- $4 accounts
with given as (
    select
        line.line_no,
        line.account_id,
        subledger.subscription_key(
            line.app_id,
            'receipt-of-' || subledger.subscription_key(
                line.app_id,
                'receipt-' || left(encode(sha256(convert_to(line.receipt, 'UTF8')), 'hex'), 32))::text) as receipt_id
    from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) as line (line_no, app_id, receipt, account_id)
),

stored as (
    select s.subscription_key, s.receipt_id, s.account_id
    from subledger.subscriptions s
    where s.receipt_id in (select receipt_id from given) and s.store_key not like 'receipt-%'
    order by s.subscription_key
    for update
),

known as (
    select given.line_no, given.receipt_id, bool_or(coalesce(stored.account_id <> given.account_id, false)) as is_anothers
    from given
    join stored on stored.receipt_id = given.receipt_id
    group by given.line_no, given.receipt_id
),

asked as (
    update subledger.subscriptions s
    set next_check_at = '-infinity', next_check_reason = 'registered'
    from stored
    where s.subscription_key = stored.subscription_key
        and stored.receipt_id in (select receipt_id from known where not is_anothers)
)

select line_no, is_anothers from known order by line_no
