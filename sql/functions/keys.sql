-- The key of a subscription: any client computes the same.

-- The first 8 bytes, big-endian, top bit cleared, of SHA-256 over app, a zero byte and the store's id. Grain: one value.
create or replace function subledger.subscription_key(app_id text, store_key text) returns bigint
language sql immutable strict parallel safe
return (
    'x' || encode(
        substring(sha256(convert_to(app_id, 'UTF8') || '\x00'::bytea || convert_to(store_key, 'UTF8')) for 8), 'hex')
    )::bit(64)::bigint & 9223372036854775807;

comment on function subledger.subscription_key is 'Key of a subscription: the first 8 bytes, top bit cleared, of SHA-256(app_id, zero byte, store_key)';
