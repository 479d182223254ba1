-- What a store that tells orders adds: tax and proceeds on the way in, refunds part by part, and what it told unasked.

alter table subledger.transactions
    add column refund_parts jsonb,
    add constraint refund_parts_belong_to_refunds check (refund_parts is null or refund_micros is not null);
alter table subledger.transaction_versions add column refund_parts jsonb;

alter table subledger.stage_transactions
    add column tax_micros bigint,
    add column proceeds_micros bigint,
    add column refund_parts jsonb;
alter table subledger.stage_changes
    add column old_tax_micros bigint,
    add column old_proceeds_micros bigint,
    add column old_refund_parts jsonb,
    add column tax_micros bigint,
    add column proceeds_micros bigint,
    add column proceeds_source text not null default 'missing',
    add column refund_parts jsonb;

-- A share of a whole amount that was given back, half up to the micro; NULL where the amount is unknown.
create function subledger.share_of(amount_micros bigint, part_micros bigint, whole_micros bigint) returns bigint
language sql immutable parallel safe
return case
    when whole_micros > 0 then div(2::numeric * amount_micros * part_micros + whole_micros, 2::numeric * whole_micros)::bigint
end;

-- What was given back for a charge, sum by sum. Grain: one row per part; none where nothing was booked as given back.
create function subledger.refunds_of(refund_parts jsonb, refunded_at timestamptz, booked_micros bigint)
returns table (at timestamptz, micros bigint, tax bigint) language sql immutable parallel safe
begin atomic
    select part.at, sum(part.micros)::bigint, sum(part.tax)::bigint
    from jsonb_to_recordset(refunds_of.refund_parts) as part (at timestamptz, micros bigint, tax bigint)
    where refunds_of.booked_micros > 0
    group by part.at
    union all
    select refunds_of.refunded_at, refunds_of.booked_micros, null
    where refunds_of.booked_micros > 0 and refunds_of.refund_parts is null;
end;

-- How far each app's unasked news was read.
create table subledger.store_news (
    app_id text primary key,
    read_until timestamptz not null,
    recorded_run_id bigint not null
);

-- An answer that caused a version, an entry or a state change is kept with it; the others are cleared in time.
alter table subledger.store_answers add column is_evidence boolean not null default true;
create index store_answers_to_clear on subledger.store_answers (answered_at) where not is_evidence;

create index subscriptions_by_lineage on subledger.subscriptions (lineage_key);
create index lineage_links_by_earlier on subledger.lineage_links (linked_subscription_key);

-- A purchase with add-ons gives access item by item: one row per item, else one per subscription.
-- An item whose own expiry lies before the purchase's has access until then and the buffer; else the purchase decides.
create or replace view subledger.entitlements as
select
    s.subscription_key,
    s.account_id,
    s.app_id,
    coalesce(item.product_id, s.product_id) as product_id,
    coalesce(now() < access.until, false) as has_access,
    access.until as access_until,
    subledger.access_reason(s, now()) as reason
from subledger.subscriptions s
cross join subledger.settings policy
left join subledger.subscription_items item on item.subscription_key = s.subscription_key
cross join lateral (
    select case
        when item.expires_at < s.expires_at and s.state <> 'revoked'
            then least(
                item.expires_at + policy.grace_buffer,
                subledger.access_until(s, policy.grace_buffer, policy.unread_limit))
        else subledger.access_until(s, policy.grace_buffer, policy.unread_limit)
    end as until
) access;

comment on column subledger.transactions.refund_parts is 'Refunds sum by sum, where the store tells them so: at, micros, tax';
comment on column subledger.transaction_versions.refund_parts is 'Refunds sum by sum, where the store tells them so: at, micros, tax';
comment on function subledger.share_of is 'amount × part ÷ whole, half up to the micro';
comment on function subledger.refunds_of is 'What was given back for a charge, sum by sum';
comment on column subledger.store_answers.is_evidence is 'It caused a version, a ledger entry or a state change: never cleared';
comment on table subledger.store_news is 'How far what a store tells unasked (voided purchases) was read, per app';
comment on column subledger.store_news.app_id is 'The app';
comment on column subledger.store_news.read_until is 'The next look begins here, with an overlap';
comment on column subledger.store_news.recorded_run_id is 'Run that read it';
comment on view subledger.entitlements is 'Who has access now, until when and why; one row per item of a purchase with add-ons';
comment on column subledger.entitlements.subscription_key is 'The subscription';
comment on column subledger.entitlements.account_id is 'The owner''s own customer id';
comment on column subledger.entitlements.app_id is 'The app';
comment on column subledger.entitlements.product_id is 'Product the access is for';
comment on column subledger.entitlements.has_access is 'Compared with the database''s clock';
comment on column subledger.entitlements.access_until is 'End of access, the buffer included';
comment on column subledger.entitlements.reason is 'active, trial, grace, buffer, unread, billing_retry, paused, ended, revoked, pending or unverified';
