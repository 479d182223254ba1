-- What a run says to subscriptions outside its chunks.

-- name: list_due_keys
-- What a dry run asks about: everything due for an app, planned nowhere, one-time sales last.
-- Grain: one row per subscription or sale. $1 app, $2 now, $3 every subscription not closed, $4 sales are looked at
select subscription_key
from (
    select subscription_key, false as is_sale, coalesce(grace_expires_at, expires_at) as access_ends
    from subledger.subscriptions
    where app_id = $1::text
        and (
            next_check_at <= $2::timestamptz
            or ($3::boolean and next_check_at is not null and state not in ('expired', 'revoked'))
        )
    union all
    select watched.subscription_key, true, null
    from subledger.watched_sales watched
    where watched.app_id = $1::text
        and (watched.next_look_at <= $2::timestamptz or $3::boolean)
        and $4::boolean
        and not exists (
            select from subledger.subscriptions registered where registered.subscription_key = watched.subscription_key
        )
) due
order by is_sale, access_ends nulls first, subscription_key

-- name: find_commonest_failure
-- The most common reason for which an app's checks failed in a run.
-- Grain: one row, none where no check did. $1 run, $2 app
select last_error
from (
    select last_error, app_id, last_run_id, failures from subledger.subscriptions
    union all
    select last_error, app_id, last_run_id, failures from subledger.watched_sales
) checked
where app_id = $2::text and last_run_id = $1::bigint and failures > 0 and last_error is not null
group by last_error
order by count(*) desc, last_error collate "C"
limit 1

-- name: request_check_of_refunded
-- Subscriptions that a store event reported as refunded are due at once, with their charges.
-- Grain: one row per subscription; an event about a transaction that we know as wholly refunded is ignored.
-- $1 keys, $2 transactions (NULL: not named)
update subledger.subscriptions as stored set next_check_at = '-infinity', next_check_reason = 'refund_notified'
where stored.subscription_key in (
    select reported.key
    from unnest($1::bigint[], $2::text[]) as reported (key, transaction_id)
    where not exists (
        select from subledger.transactions known
        where known.subscription_key = reported.key
            and known.transaction_id = reported.transaction_id
            and known.refund_kind in ('full', 'revoke')
    )
)
