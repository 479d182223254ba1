-- What Google Play sells under one product: base plans, each with a period and a price of its own. And what its orders say
-- beside the money: what the store paid in the customer's place, and that a refund was a charge-back. And the steps of a
-- subscription that nobody told when they happened.

alter table subledger.transactions
    add column base_plan_id text,
    add column store_discount_micros bigint check (store_discount_micros > 0),
    add column refund_reason text check (refund_reason in ('chargeback')),
    add constraint refund_reasons_belong_to_refunds check (refund_reason is null or refunded_at is not null);
alter table subledger.transaction_versions
    add column base_plan_id text,
    add column store_discount_micros bigint,
    add column refund_reason text;
alter table subledger.stage_transactions
    add column base_plan_id text,
    add column store_discount_micros bigint,
    add column refund_reason text,
    -- False: another answer may know better whether it is superseded.
    add column tells_upgrade boolean not null default true;
alter table subledger.stage_changes
    add column base_plan_id text,
    add column store_discount_micros bigint,
    add column refund_reason text;

-- Steps between the last answer and this one, in their order: state, auto_renew, at.
alter table subledger.stage_subscriptions add column steps jsonb;

-- Empty: any base plan.
alter table subledger.products
    add column base_plan_id text not null default '',
    drop constraint products_pkey,
    add primary key (app_id, product_id, base_plan_id, valid_from, recorded_run_id);
alter table subledger.prices
    add column base_plan_id text not null default '',
    drop constraint prices_pkey,
    add primary key (app_id, product_id, base_plan_id, country, currency, valid_from, recorded_run_id);

-- The price list's answer for a sale: the base plan's own price before that of any plan, the country's own before that of any
-- country, the newest that was valid when it was bought, the last word on it. Grain: one row, none where the list has no
-- price. Days are days in UTC.
drop function subledger.list_price(text, text, text, timestamptz);
create function subledger.list_price(
    app_id text, product_id text, base_plan_id text, country text, purchased_at timestamptz
) returns table (price_micros bigint, currency text) language sql stable
as $$
    select listed.price_micros, listed.currency
    from subledger.prices listed
    where listed.app_id = list_price.app_id
        and listed.product_id = list_price.product_id
        and listed.base_plan_id in ('', list_price.base_plan_id)
        and listed.country in ('', list_price.country)
        and listed.valid_from <= (list_price.purchased_at at time zone 'UTC')::date
    order by listed.base_plan_id desc, listed.country desc, listed.valid_from desc, listed.recorded_run_id desc,
        listed.currency
    limit 1
$$;

-- Apps whose owner also sells on billing of his own: such sales make no order at the store, and totals say so.
-- Grain: one row per change of the configuration. It counts for the seals after the one that stood when it was made.
create table subledger.own_billing (
    change_id bigint generated always as identity primary key,
    app_id text not null,
    has_own_billing boolean not null,
    after_seal bigint not null check (after_seal >= 0)
);
create trigger append_only before update or delete on subledger.own_billing
for each row execute function subledger.refuse_rewriting_history();

comment on column subledger.transactions.base_plan_id is 'Google Play''s base plan of the product; NULL where the store has none or did not say';
comment on column subledger.transactions.store_discount_micros is 'What the store itself paid of the price (Play Points), micros; NULL where nothing';
comment on column subledger.transactions.refund_reason is 'chargeback: the customer''s bank took the money back; NULL: any other refund, or none';
comment on column subledger.transaction_versions.base_plan_id is 'Google Play''s base plan of the product; NULL where the store has none or did not say';
comment on column subledger.transaction_versions.store_discount_micros is 'What the store itself paid of the price (Play Points), micros; NULL where nothing';
comment on column subledger.transaction_versions.refund_reason is 'chargeback: the customer''s bank took the money back; NULL: any other refund, or none';
comment on column subledger.products.base_plan_id is 'Google Play''s base plan; empty: any';
comment on column subledger.prices.base_plan_id is 'Google Play''s base plan; empty: any';
comment on table subledger.own_billing is 'Whose owner also sells on billing of his own, which makes no order at the store: one row per change; append-only';
comment on column subledger.own_billing.change_id is 'Numbered in the order of the changes; the last of those that count for a seal is its own';
comment on column subledger.own_billing.app_id is 'The app';
comment on column subledger.own_billing.has_own_billing is 'What the configuration says from then on';
comment on column subledger.own_billing.after_seal is 'The last seal given before the change';
comment on function subledger.list_price is 'The price list''s price of one unit for a purchase';
