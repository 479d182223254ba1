-- Subscriptions that their store told unasked were given money back: due at once, with their charges.
-- Grain: one row per subscription; what was told of a transaction that we know as wholly given back is no news.
-- $1 keys, $2 transactions (NULL: not named)
update subledger.subscriptions as held set next_check_at = '-infinity', next_check_reason = 'refund_told'
where held.subscription_key in (
    select told.key
    from unnest($1::bigint[], $2::text[]) as told (key, transaction_id)
    where not exists (
        select from subledger.transactions known
        where known.subscription_key = told.key
            and known.transaction_id = told.transaction_id
            and known.refund_kind in ('full', 'revoke')
    )
)
