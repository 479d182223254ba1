-- Registers a batch of imported lines, in their order; a bare receipt gets a placeholder for a store key.
-- Grain: one row per line. is_new: its subscription was not there before this statement.
-- $1 line numbers, $2 apps, $3 store keys, $4 accounts, $5 products, $6 environments, $7 countries, $8 receipts
with given as (
    select
        line.*,
        coalesce(
            line.store_key, 'receipt-' || left(encode(sha256(convert_to(line.receipt, 'UTF8')), 'hex'), 32)) as asked_with
    from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
        as line (line_no, app_id, store_key, account_id, product_id, environment, country, receipt)
),

in_order as (
    select
        given.*,
        not exists (
            select 1 from subledger.subscriptions held
            where held.subscription_key = subledger.subscription_key(given.app_id, given.asked_with)
        ) as is_new
    from given
    order by given.line_no
)

select
    line_no,
    is_new,
    subledger.register(app_id, asked_with, account_id, product_id, environment, country, receipt) as subscription_key
from in_order
