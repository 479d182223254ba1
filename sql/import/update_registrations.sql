-- Subscriptions that were registered before: what an import adds, as subledger.register would. They are asked about at
-- once. An expiry counts only where the store was never asked: its word counts more.
-- Grain: one row per subscription. $1 keys, $2 accounts, $3 products, $4 environments, $5 countries, $6 expiries,
-- $7 receipt ids
update subledger.subscriptions as held set
    account_id = coalesce(held.account_id, given.account_id),
    product_id = coalesce(held.product_id, given.product_id),
    environment = coalesce(held.environment, given.environment),
    country = coalesce(given.country, held.country),
    expires_at = case when held.state = 'unverified' and held.last_checked_at is null
        then coalesce(given.expires_at::timestamptz, held.expires_at) else held.expires_at end,
    receipt_id = coalesce(held.receipt_id, given.receipt_id::bigint),
    next_check_at = '-infinity',
    next_check_reason = 'registered'
from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
    as given (subscription_key, account_id, product_id, environment, country, expires_at, receipt_id)
where held.subscription_key = given.subscription_key
