-- Subscriptions that were registered before: what an import adds, as subledger.register would. They are asked about at
-- once. An expiry counts only where the store was never asked: its word counts more.
-- Grain: one row per subscription. $1 keys, $2 accounts, $3 products, $4 environments, $5 countries, $6 expiries,
-- $7 receipt ids
update subledger.subscriptions as stored set
    account_id = coalesce(stored.account_id, given.account_id),
    product_id = coalesce(stored.product_id, given.product_id),
    environment = coalesce(stored.environment, given.environment),
    country = coalesce(given.country, stored.country),
    expires_at = case when stored.state = 'unverified' and stored.last_checked_at is null
        then coalesce(given.expires_at::timestamptz, stored.expires_at) else stored.expires_at end,
    receipt_id = coalesce(stored.receipt_id, given.receipt_id::bigint),
    next_check_at = '-infinity',
    next_check_reason = 'registered'
from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
    as given (subscription_key, account_id, product_id, environment, country, expires_at, receipt_id)
where stored.subscription_key = given.subscription_key
