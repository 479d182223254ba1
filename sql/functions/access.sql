-- Access: the rule of the grace buffer, as functions of a subscription's columns and as the view that the backend reads.
-- No function takes a table's row: PostgreSQL refuses to add a column with a default to such a table.

-- Every check at or after the expiry failed. What a store said after the expiry remains valid, and a later failed check gives
-- nothing back.
create or replace function subledger.is_unread(
    state text, expires_at timestamptz, failures integer, last_checked_at timestamptz, last_failed_at timestamptz
) returns boolean
language sql immutable parallel safe
return expires_at is not null and (
    state = 'unreachable'
    or (
        failures > 0
        and coalesce(last_failed_at >= expires_at, false)
        and coalesce(last_checked_at < expires_at, true)
    )
);

-- Until when a subscription gives access: the first rule that fits, in the contract's order.
create or replace function subledger.access_until(
    state text, expires_at timestamptz, grace_expires_at timestamptz, ended_at timestamptz, last_checked_at timestamptz,
    is_unread boolean, grace_buffer interval, unread_limit interval
) returns timestamptz
language sql stable parallel safe
return case
    when state = 'revoked' then ended_at
    when state = 'grace' then coalesce(grace_expires_at, expires_at) + grace_buffer
    when state = 'paused' then expires_at
    when state = 'expired' then coalesce(ended_at, expires_at)
    when state = 'pending' then null
    when state in ('active', 'trial') and last_checked_at >= expires_at then last_checked_at + grace_buffer
    when is_unread then expires_at + unread_limit
    else expires_at + grace_buffer
end;

-- Why a subscription gives access at an instant, or does not.
create or replace function subledger.access_reason(
    state text, expires_at timestamptz, grace_expires_at timestamptz, is_unread boolean, at timestamptz
) returns text
language sql stable parallel safe
return case
    when state = 'revoked' then 'revoked'
    when state = 'expired' then 'ended'
    when state in ('paused', 'pending', 'unverified') then state
    when state = 'grace' and grace_expires_at > at then 'grace'
    when state = 'grace' then 'buffer'
    when at < expires_at and state = 'trial' then 'trial'
    when at < expires_at then 'active'
    when state = 'billing_retry' then 'billing_retry'
    when is_unread then 'unread'
    else 'buffer'
end;

-- Access by subscription, with what access by item and its reason are made of. Grain: one row per subscription.
create or replace view subledger.subscription_access as
select
    known.subscription_key, known.account_id, known.app_id, known.product_id, known.state, known.expires_at,
    known.grace_expires_at, known.is_unread,
    subledger.access_until(
        known.state, known.expires_at, known.grace_expires_at, known.ended_at, known.last_checked_at, known.is_unread,
        policy.grace_buffer, policy.unread_limit
    ) as access_until,
    policy.grace_buffer
from (
    select
        s.subscription_key, s.account_id, s.app_id, s.product_id, s.state, s.expires_at, s.grace_expires_at, s.ended_at,
        s.last_checked_at,
        subledger.is_unread(s.state, s.expires_at, s.failures, s.last_checked_at, s.last_failed_at) as is_unread
    from subledger.subscriptions s
) known
cross join subledger.settings policy;

-- The backend asks who has access, and reads no subscription.
create or replace function subledger.has_access(subscription_key bigint, at timestamptz default now()) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select coalesce(bool_or(has_access.at < access.access_until), false)
    from subledger.subscription_access access
    where access.subscription_key = has_access.subscription_key
$$;

-- A purchase with add-ons gives access item by item: one row per item, else one per subscription.
-- An item whose own expiry lies before the purchase's has access until then and the buffer; else the purchase decides.
create or replace view subledger.entitlements as
select
    owned.subscription_key,
    owned.account_id,
    owned.app_id,
    coalesce(item.product_id, owned.product_id) as product_id,
    coalesce(now() < granted.until, false) as has_access,
    granted.until as access_until,
    subledger.access_reason(owned.state, owned.expires_at, owned.grace_expires_at, owned.is_unread, now()) as reason
from subledger.subscription_access owned
left join subledger.subscription_items item on item.subscription_key = owned.subscription_key
cross join lateral (
    select case
        when item.expires_at < owned.expires_at and owned.state <> 'revoked'
            then least(item.expires_at + owned.grace_buffer, owned.access_until)
        else owned.access_until
    end as until
) granted;

comment on function subledger.is_unread is 'Whether every check since the expiry failed';
comment on function subledger.access_until is 'Until when a subscription gives access';
comment on function subledger.access_reason is 'Why a subscription gives access at an instant, or does not';
comment on function subledger.has_access is 'Whether a subscription gives access at any instant';
comment on view subledger.subscription_access is 'Until when each subscription gives access, and whether it is unread';
comment on column subledger.subscription_access.subscription_key is 'The subscription';
comment on column subledger.subscription_access.account_id is 'The owner''s own customer id';
comment on column subledger.subscription_access.app_id is 'The app';
comment on column subledger.subscription_access.product_id is 'Its product';
comment on column subledger.subscription_access.state is 'As the store last stated it';
comment on column subledger.subscription_access.expires_at is 'As the store last stated it';
comment on column subledger.subscription_access.grace_expires_at is 'End of the grace that the store grants';
comment on column subledger.subscription_access.is_unread is 'Every check since the expiry failed';
comment on column subledger.subscription_access.access_until is 'End of access, the buffer included; NULL: none';
comment on column subledger.subscription_access.grace_buffer is 'What is granted beyond an expiry';
comment on view subledger.entitlements is 'Who has access now, until when and why; one row per item of a purchase with add-ons';
comment on column subledger.entitlements.subscription_key is 'The subscription';
comment on column subledger.entitlements.account_id is 'The owner''s own customer id';
comment on column subledger.entitlements.app_id is 'The app';
comment on column subledger.entitlements.product_id is 'Product the access is for';
comment on column subledger.entitlements.has_access is 'Compared with the database''s clock';
comment on column subledger.entitlements.access_until is 'End of access, the buffer included';
comment on column subledger.entitlements.reason is 'active, trial, grace, buffer, unread, billing_retry, paused, ended, revoked, pending or unverified';
