-- Access: the rule of the grace buffer, as a function of the subscription and as the view the backend reads.

-- Nobody could tell us anything since the expiry: every check at or after it was made in vain. What a store once said
-- since then stands, and a later failed check gives nothing back.
create function subledger.is_unread(subscription subledger.subscriptions) returns boolean language sql immutable
return subscription.expires_at is not null and (
    subscription.state = 'unreachable'
    or (
        subscription.failures > 0
        and coalesce(subscription.last_checked_at < subscription.expires_at, true)
    )
);

-- Grain: one subscription. Until when access lasts; the first rule that fits, in the contract's order.
create function subledger.access_until(subscription subledger.subscriptions, grace_buffer interval, unread_limit interval)
returns timestamptz language sql stable
return case
    when subscription.state = 'revoked' then subscription.ended_at
    when subscription.state = 'grace'
        then coalesce(subscription.grace_expires_at, subscription.expires_at) + grace_buffer
    when subscription.state = 'paused' then subscription.expires_at
    when subscription.state = 'expired' then coalesce(subscription.ended_at, subscription.expires_at)
    when subscription.state = 'pending' then null
    when subscription.state in ('active', 'trial') and subscription.last_checked_at >= subscription.expires_at
        then subscription.last_checked_at + grace_buffer
    when subledger.is_unread(subscription) then subscription.expires_at + unread_limit
    else subscription.expires_at + grace_buffer
end;

create function subledger.access_reason(subscription subledger.subscriptions, at timestamptz)
returns text language sql stable
return case
    when subscription.state = 'revoked' then 'revoked'
    when subscription.state = 'expired' then 'ended'
    when subscription.state in ('paused', 'pending', 'unverified') then subscription.state
    when subscription.state = 'grace' and subscription.grace_expires_at > at then 'grace'
    when subscription.state = 'grace' then 'buffer'
    when at < subscription.expires_at and subscription.state = 'trial' then 'trial'
    when at < subscription.expires_at then 'active'
    when subscription.state = 'billing_retry' then 'billing_retry'
    when subledger.is_unread(subscription) then 'unread'
    else 'buffer'
end;

create function subledger.has_access(subscription_key bigint, at timestamptz default now()) returns boolean
language sql stable as $$
    select coalesce($2 < subledger.access_until(s, policy.grace_buffer, policy.unread_limit), false)
    from subledger.subscriptions s
    cross join subledger.settings policy
    where s.subscription_key = $1
$$;

-- Grain: one subscription (later: one item of a purchase with add-ons).
create view subledger.entitlements as
select
    s.subscription_key,
    s.account_id,
    s.app_id,
    s.product_id,
    coalesce(now() < access.until, false) as has_access,
    access.until as access_until,
    subledger.access_reason(s, now()) as reason
from subledger.subscriptions s
cross join subledger.settings policy
cross join lateral (select subledger.access_until(s, policy.grace_buffer, policy.unread_limit) as until) access;

comment on view subledger.entitlements is 'Who has access now, until when and why';
comment on column subledger.entitlements.subscription_key is 'The subscription';
comment on column subledger.entitlements.account_id is 'The owner''s own customer id';
comment on column subledger.entitlements.app_id is 'The app';
comment on column subledger.entitlements.product_id is 'Product the access is for';
comment on column subledger.entitlements.has_access is 'Compared with the database''s clock';
comment on column subledger.entitlements.access_until is 'End of access, the buffer included';
comment on column subledger.entitlements.reason is 'active, trial, grace, buffer, unread, billing_retry, paused, ended, revoked, pending or unverified';
comment on function subledger.is_unread is 'Whether the store was asked in vain ever since the expiry';
comment on function subledger.access_until is 'Until when a subscription gives access';
comment on function subledger.access_reason is 'Why it does or does not at an instant';
comment on function subledger.has_access is 'Whether a subscription gives access at any instant';
