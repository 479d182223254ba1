-- The products of the purchases that hold several, as the last answer listed them.
-- Grain: one row per item. $1 keys, $2 products, $3 expiries (microseconds since 1970, NULL: unknown), $4 auto-renewal
-- (NULL: unknown), $5 latest orders, $6 when they were taken back (microseconds since 1970, NULL: not)
insert into subledger.subscription_items as stored (
    subscription_key, product_id, expires_at, auto_renew, latest_transaction_id, revoked_at
)
select
    key, product_id, timestamptz 'epoch' + expires::bigint * interval '1 microsecond', auto_renew::boolean,
    latest_transaction_id, timestamptz 'epoch' + revoked::bigint * interval '1 microsecond'
from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) as item (
    key, product_id, expires, auto_renew, latest_transaction_id, revoked)
on conflict (subscription_key, product_id) do update set
    expires_at = excluded.expires_at,
    auto_renew = excluded.auto_renew,
    latest_transaction_id = excluded.latest_transaction_id,
    revoked_at = excluded.revoked_at
