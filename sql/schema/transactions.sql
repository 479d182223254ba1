-- Canonical transactions as they are today. Grain: one row per settled period or one-time sale.
create table subledger.transactions (
    subscription_key bigint not null,
    transaction_id text not null,
    product_id text not null,
    lineage_key bigint not null,
    app_id text not null,
    store text not null,
    environment text not null,
    original_transaction_id text,
    period_key text not null,
    subscription_group text,
    base_plan_id text,
    kind text not null,
    is_trial_conversion boolean not null default false,
    offer_type text,
    offer_id text,
    ownership text not null,
    quantity bigint not null default 1,
    seats bigint,
    country text,
    purchased_at timestamptz not null,
    period_start timestamptz not null,
    period_end timestamptz,
    price_micros bigint,
    tax_micros bigint,
    proceeds_micros bigint,
    recurring_price_micros bigint,
    store_discount_micros bigint,
    currency text,
    price_source text not null,
    proceeds_source text not null default 'missing',
    refunded_at timestamptz,
    refund_kind text,
    refund_reason text,
    refund_micros bigint,
    refund_source text,
    refund_parts jsonb,
    is_upgraded boolean not null default false,
    source_version timestamptz not null,
    recorded_run_id bigint not null,
    changed_run_id bigint not null,
    extended_until timestamptz,
    bundle_transaction_id text,
    constraint transactions_pkey primary key (subscription_key, transaction_id, product_id),
    constraint one_period_once unique (subscription_key, period_key, product_id),
    constraint ids_are_not_empty check (transaction_id <> '' and product_id <> ''),
    constraint known_environments check (environment in ('production', 'sandbox')),
    constraint known_kinds check (
        kind in (
            'trial', 'purchase', 'renewal', 'resubscribe', 'upgrade', 'downgrade', 'crossgrade', 'top_up', 'one_time'
        )
    ),
    constraint known_offer_types check (
        offer_type in (
            'introductory', 'promotional', 'code', 'win_back', 'retention', 'other'
        )
    ),
    constraint known_ownerships check (ownership in ('purchased', 'family_shared', 'assigned')),
    constraint known_price_sources check (price_source in ('store_order', 'store_price', 'price_list', 'missing')),
    constraint known_proceeds_sources check (proceeds_source in ('store_order', 'store_report', 'estimated', 'missing')),
    constraint known_refund_kinds check (refund_kind in ('full', 'partial', 'revoke')),
    constraint known_refund_reasons check (refund_reason in ('chargeback')),
    constraint known_refund_sources check (refund_source in ('store_amount', 'derived')),
    constraint countries_are_iso_codes check (country ~ '^[A-Z]{2}$'),
    constraint currencies_are_iso_codes check (currency ~ '^[A-Z]{3}$'),
    constraint quantities_are_positive check (quantity > 0),
    constraint seats_are_not_negative check (seats >= 0),
    constraint prices_are_not_negative check (price_micros >= 0),
    constraint recurring_prices_are_positive check (recurring_price_micros > 0),
    constraint store_discounts_are_positive check (store_discount_micros > 0),
    constraint periods_run_forward check (period_end >= period_start),
    constraint one_time_sales_have_no_end check ((kind = 'one_time') = (period_end is null)),
    constraint known_prices_have_a_currency check (price_micros is null or currency is not null),
    constraint missing_prices_are_null check ((price_source = 'missing') = (price_micros is null)),
    constraint refunds_say_when_and_how check ((refunded_at is null) = (refund_kind is null)),
    constraint refunds_are_not_negative check (refund_micros >= 0),
    constraint refund_amounts_belong_to_refunds check (refund_micros is null or refunded_at is not null),
    constraint refund_parts_belong_to_refunds check (refund_parts is null or refund_micros is not null),
    constraint refund_reasons_belong_to_refunds check (refund_reason is null or refunded_at is not null)
) with (fillfactor = 90);

create index transactions_by_id on subledger.transactions (transaction_id);
create index transactions_by_purchase on subledger.transactions (purchased_at);
create index transactions_by_refund on subledger.transactions (refunded_at) where refunded_at is not null;
create index transactions_by_run on subledger.transactions (recorded_run_id);

comment on table subledger.transactions is 'One row per settled period or one-time sale: today''s picture';
comment on column subledger.transactions.subscription_key is 'The subscription';
comment on column subledger.transactions.transaction_id is 'App Store transaction id; Play order id with its ..N';
comment on column subledger.transactions.product_id is 'Product of the row';
comment on column subledger.transactions.lineage_key is 'Lineage of one customer''s subscription';
comment on column subledger.transactions.app_id is 'The owner''s own name of the app';
comment on column subledger.transactions.store is 'app_store or google_play';
comment on column subledger.transactions.environment is 'production or sandbox; sandbox is never in revenue';
comment on column subledger.transactions.original_transaction_id is 'The store''s id of the whole subscription';
comment on column subledger.transactions.period_key is 'One per billed period, whatever transaction id a restore gives it; seats added within a period under the line item of the first have the instant of their purchase behind it';
comment on column subledger.transactions.subscription_group is 'The store''s group of exchangeable products';
comment on column subledger.transactions.base_plan_id is 'Google Play''s base plan of the product; NULL where the store has none or did not say';
comment on column subledger.transactions.kind is 'trial, purchase, renewal, resubscribe, upgrade, downgrade, crossgrade, top_up or one_time';
comment on column subledger.transactions.is_trial_conversion is 'First paid period that follows a trial without a lapse';
comment on column subledger.transactions.offer_type is 'introductory, promotional, code, win_back, retention or other';
comment on column subledger.transactions.offer_id is 'The store''s id of the offer';
comment on column subledger.transactions.ownership is 'purchased, family_shared or assigned (a seat of a group or organization, or what a bundle includes): only purchased has money and subscribers';
comment on column subledger.transactions.quantity is 'Units bought';
comment on column subledger.transactions.seats is 'Seats not refunded of a multiseat purchase; NULL for every other row';
comment on column subledger.transactions.country is 'ISO 3166-1 alpha-2 of the storefront or billing country';
comment on column subledger.transactions.purchased_at is 'When it was charged';
comment on column subledger.transactions.period_start is 'Start of the service period';
comment on column subledger.transactions.period_end is 'End the store stated first, which never moves; NULL for a one-time sale';
comment on column subledger.transactions.price_micros is 'Customer price in micros of the currency, tax as charged; NULL: unknown';
comment on column subledger.transactions.tax_micros is 'Tax in micros, where the store gave it';
comment on column subledger.transactions.proceeds_micros is 'Proceeds in micros, where the store gave them';
comment on column subledger.transactions.recurring_price_micros is 'What a whole period of the plan costs, for the rest of a period after a change of plan; else NULL';
comment on column subledger.transactions.store_discount_micros is 'What the store itself paid of the price (Play Points), micros; NULL where nothing';
comment on column subledger.transactions.currency is 'ISO 4217';
comment on column subledger.transactions.price_source is 'store_order, store_price, price_list or missing';
comment on column subledger.transactions.proceeds_source is 'store_order, store_report, estimated or missing';
comment on column subledger.transactions.refunded_at is 'The store''s refund or revocation instant';
comment on column subledger.transactions.refund_kind is 'full, partial or revoke (family: no money back)';
comment on column subledger.transactions.refund_reason is 'chargeback: the customer''s bank took the money back; NULL: any other refund, or none';
comment on column subledger.transactions.refund_micros is 'Refunded in micros, positive; NULL while the price is unknown';
comment on column subledger.transactions.refund_source is 'store_amount (the amount that the store states, or the whole price) or derived (computed from a share or from seats); NULL while refund_micros is';
comment on column subledger.transactions.refund_parts is 'Refunds amount by amount, where the store lists them: at, micros, tax; money_only where nothing was taken away with it';
comment on column subledger.transactions.is_upgraded is 'Superseded by an upgrade: ends where its successor begins';
comment on column subledger.transactions.source_version is 'When the store signed or sent this image';
comment on column subledger.transactions.recorded_run_id is 'Run that first recorded it';
comment on column subledger.transactions.changed_run_id is 'Run that last changed it';
comment on column subledger.transactions.extended_until is 'A later end that the App Store stated since: until then the period covers; NULL where it stated none';
comment on column subledger.transactions.bundle_transaction_id is 'Transaction of the bundle that includes what the row is about: it gives access, and the bundle''s own row is the subscriber; NULL for every other row';
