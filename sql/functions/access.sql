-- Access: the rule of the grace buffer, as functions of a subscription's columns and as the view that the backend reads.
-- No function takes a table's row: PostgreSQL refuses to add a column with a default to such a table.

-- The instant on which access hangs: after it somebody has to be asked. The expiry; in grace its end; where the store said active
-- past the expiry, that answer.
create or replace function subledger.access_hangs_on(
    state text, expires_at timestamptz, grace_expires_at timestamptz, last_checked_at timestamptz
) returns timestamptz
language sql immutable parallel safe
return case
    when state = 'grace' then coalesce(grace_expires_at, expires_at)
    when state in ('active', 'trial') and last_checked_at >= expires_at then last_checked_at
    else expires_at
end;

-- Whether a night of the app ended between two instants that asked what was due of it; one that its store stopped did not. A night
-- ends, for access, at its logical now. Of an app that is retired none is awaited. With its owner's rights: the backend reads no run.
create or replace function subledger.has_night_ended(app_id text, since timestamptz, until timestamptz) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select exists (
        select
        from subledger.runs run
        join subledger.run_apps asked on asked.run_id = run.run_id
        where asked.app_id = has_night_ended.app_id
            and asked.state = 'done'
            and run.job = 'nightly'
            and run.sealed_at is not null
            and run.logical_now > has_night_ended.since
            and run.logical_now <= has_night_ended.until
    )
    or exists (
        select
        from subledger.apps app
        where app.app_id = has_night_ended.app_id
            and app.retired_on <= (has_night_ended.until at time zone 'UTC')::date
    )
$$;

-- What the store stated last of a subscription that became unreachable since; itself, where it never stated anything. With its owner's
-- rights: the backend reads no state change.
create or replace function subledger.state_before_unreachable(subscription_key bigint) returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select coalesce((
        select change.state
        from subledger.state_changes change
        where change.subscription_key = state_before_unreachable.subscription_key and change.state <> 'unreachable'
        order by change.change_id desc
        limit 1
    ), 'unreachable')
$$;

create or replace function subledger.stated_state(subscription_key bigint, state text) returns text
language sql stable
return case
    when stated_state.state = 'unreachable' then subledger.state_before_unreachable(stated_state.subscription_key)
    else stated_state.state
end;

-- No answer since the instant on which access hangs. A check failed since then: at once; no check was made, and no night of the app
-- ended: once the buffer is over, up to the limit. What a store said since then remains valid, and a later failed check gives
-- nothing back. What is unreachable fails whenever it is asked. state: stated last.
create or replace function subledger.is_unread(
    app_id text, state text, is_unreachable boolean, expires_at timestamptz, grace_expires_at timestamptz, failures integer,
    last_checked_at timestamptz, last_failed_at timestamptz, grace_buffer interval, unread_limit interval, at timestamptz
) returns boolean
language sql stable
return case
    when state in ('revoked', 'expired', 'paused', 'pending') or expires_at is null then false
    when state = 'unreachable' then true
    when last_checked_at > subledger.access_hangs_on(state, expires_at, grace_expires_at, last_checked_at)
        or state not in ('active', 'trial', 'grace') and last_checked_at >= expires_at then false
    when is_unreachable then true
    when failures > 0
        and last_failed_at >= subledger.access_hangs_on(state, expires_at, grace_expires_at, last_checked_at)
        and (last_failed_at > last_checked_at) is not false then true
    when at < subledger.access_hangs_on(state, expires_at, grace_expires_at, last_checked_at) + grace_buffer
        or at >= subledger.access_hangs_on(state, expires_at, grace_expires_at, last_checked_at) + unread_limit then false
    else not subledger.has_night_ended(
        app_id, subledger.access_hangs_on(state, expires_at, grace_expires_at, last_checked_at), at)
end;

-- Until when a subscription gives access: the first rule that fits, in the contract's order.
create or replace function subledger.access_until(
    state text, expires_at timestamptz, grace_expires_at timestamptz, ended_at timestamptz, last_checked_at timestamptz,
    is_unread boolean, grace_buffer interval, unread_limit interval
) returns timestamptz
language sql stable parallel safe
return case
    when state = 'revoked' then ended_at
    when state = 'paused' then expires_at
    when state = 'expired' then coalesce(ended_at, expires_at)
    when state = 'pending' then null
    else subledger.access_hangs_on(state, expires_at, grace_expires_at, last_checked_at)
        + case when is_unread then unread_limit else grace_buffer end
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
    when state = 'grace' and not is_unread then 'buffer'
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
        known.stated_state, known.expires_at, known.grace_expires_at, known.ended_at, known.last_checked_at, known.is_unread,
        known.grace_buffer, known.unread_limit
    ) as access_until,
    known.grace_buffer, known.stated_state
from (
    select
        stated.*, policy.grace_buffer, policy.unread_limit,
        subledger.is_unread(
            stated.app_id, stated.stated_state, stated.state = 'unreachable', stated.expires_at, stated.grace_expires_at,
            stated.failures, stated.last_checked_at, stated.last_failed_at, policy.grace_buffer, policy.unread_limit, now()
        ) as is_unread
    from (
        select
            s.subscription_key, s.account_id, s.app_id, s.product_id, s.state, s.expires_at, s.grace_expires_at, s.ended_at,
            s.failures, s.last_checked_at, s.last_failed_at,
            subledger.stated_state(s.subscription_key, s.state) as stated_state
        from subledger.subscriptions s
    ) stated
    cross join subledger.settings policy
) known;

-- The same of one subscription by the clock of any instant. With its owner's rights: the backend reads no subscription.
-- Grain: one row; none where it is not known.
create or replace function subledger.access_at(subscription_key bigint, at timestamptz) returns table (
    access_until timestamptz, reason text
)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select
        subledger.access_until(
            stated.state, s.expires_at, s.grace_expires_at, s.ended_at, s.last_checked_at, read.is_missing, policy.grace_buffer,
            policy.unread_limit),
        subledger.access_reason(stated.state, s.expires_at, s.grace_expires_at, read.is_missing, access_at.at)
    from subledger.subscriptions s
    cross join subledger.settings policy
    cross join lateral (select subledger.stated_state(s.subscription_key, s.state) as state) stated
    cross join lateral (
        select subledger.is_unread(
            s.app_id, stated.state, s.state = 'unreachable', s.expires_at, s.grace_expires_at, s.failures, s.last_checked_at,
            s.last_failed_at, policy.grace_buffer, policy.unread_limit, access_at.at
        ) as is_missing
    ) read
    where s.subscription_key = access_at.subscription_key
$$;

-- Whether a subscription gives access at an instant: what the backend asks.
create or replace function subledger.has_access(subscription_key bigint, at timestamptz default now()) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select coalesce(bool_or(has_access.at < access.access_until), false)
    from subledger.access_at(has_access.subscription_key, has_access.at) access
$$;

-- A purchase with add-ons gives access item by item: one row per item, else one per subscription.
-- An item whose own expiry lies before the purchase's has access until then and the buffer, one that was taken back to its instant;
-- else the purchase decides.
create or replace view subledger.entitlements as
select
    owned.subscription_key,
    owned.account_id,
    owned.app_id,
    coalesce(item.product_id, owned.product_id) as product_id,
    coalesce(now() < granted.until, false) as has_access,
    granted.until as access_until,
    case
        when item.revoked_at is not null then 'revoked'
        else subledger.access_reason(owned.stated_state, owned.expires_at, owned.grace_expires_at, owned.is_unread, now())
    end as reason
from subledger.subscription_access owned
left join subledger.subscription_items item on item.subscription_key = owned.subscription_key
cross join lateral (
    select case
        when item.revoked_at is not null then least(item.revoked_at, owned.access_until)
        when item.expires_at < owned.expires_at and owned.state <> 'revoked'
            then least(item.expires_at + owned.grace_buffer, owned.access_until)
        else owned.access_until
    end as until
) granted;

comment on function subledger.access_hangs_on is 'The instant after which somebody has to be asked: expiry, end of the grace, or the answer that said active past the expiry';
comment on function subledger.has_night_ended is 'Whether a night of the app ended between two instants';
comment on function subledger.state_before_unreachable is 'What the store stated last of a subscription that became unreachable since';
comment on function subledger.stated_state is 'The state that the store stated last; of what is unreachable, the one before';
comment on function subledger.access_at is 'Until when a subscription gives access, and why, by the clock of an instant';
comment on function subledger.is_unread is 'Whether there is no answer since the instant on which access hangs';
comment on function subledger.access_until is 'Until when a subscription gives access';
comment on function subledger.access_reason is 'Why a subscription gives access at an instant, or does not';
comment on function subledger.has_access is 'Whether a subscription gives access at any instant';
comment on view subledger.subscription_access is 'Until when each subscription gives access, and whether it is unread';
comment on column subledger.subscription_access.subscription_key is 'The subscription';
comment on column subledger.subscription_access.account_id is 'The owner''s own customer id';
comment on column subledger.subscription_access.app_id is 'The app';
comment on column subledger.subscription_access.product_id is 'Its product';
comment on column subledger.subscription_access.state is 'As the store last stated it, or unreachable';
comment on column subledger.subscription_access.expires_at is 'As the store last stated it';
comment on column subledger.subscription_access.grace_expires_at is 'End of the grace that the store grants';
comment on column subledger.subscription_access.is_unread is 'No answer since the instant on which access hangs';
comment on column subledger.subscription_access.access_until is 'End of access, the buffer included; NULL: none';
comment on column subledger.subscription_access.grace_buffer is 'What is granted beyond an expiry';
comment on column subledger.subscription_access.stated_state is 'As the store last stated it; of what is unreachable, before that';
comment on view subledger.entitlements is 'Who has access now, until when and why; one row per item of a purchase with add-ons';
comment on column subledger.entitlements.subscription_key is 'The subscription';
comment on column subledger.entitlements.account_id is 'The owner''s own customer id';
comment on column subledger.entitlements.app_id is 'The app';
comment on column subledger.entitlements.product_id is 'Product the access is for';
comment on column subledger.entitlements.has_access is 'Compared with the database''s clock';
comment on column subledger.entitlements.access_until is 'End of access, the buffer included';
comment on column subledger.entitlements.reason is 'active, trial, grace, buffer, unread, billing_retry, paused, ended, revoked, pending or unverified';
