-- Every image of every transaction, append-only: an as-of view reads the newest one that its seal can see.
-- Words and amounts are checked in transactions (the store in apps), of whose rows these are copies: checked once more, a load takes
-- a tenth longer.
-- Grain: one row per transaction and version.
create table subledger.transaction_versions (
    subscription_key bigint not null,
    transaction_id text not null,
    product_id text not null,
    version bigint not null,
    run_id bigint not null,
    recorded_at timestamptz not null,
    answer_hash text,
    lineage_key bigint not null,
    app_id text not null,
    store text not null,
    environment text not null,
    original_transaction_id text,
    period_key text not null,
    subscription_group text,
    base_plan_id text,
    kind text not null,
    is_trial_conversion boolean not null,
    offer_type text,
    offer_id text,
    ownership text not null,
    quantity bigint not null,
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
    proceeds_source text not null,
    refunded_at timestamptz,
    refund_kind text,
    refund_reason text,
    refund_micros bigint,
    refund_source text,
    refund_parts jsonb,
    is_upgraded boolean not null,
    source_version timestamptz not null,
    extended_until timestamptz,
    bundle_transaction_id text,
    constraint transaction_versions_pkey primary key (subscription_key, transaction_id, product_id, version),
    constraint versions_count_from_one check (version > 0)
);

create index transaction_versions_by_lineage on subledger.transaction_versions (lineage_key) where lineage_key <> subscription_key;
create index transaction_versions_by_run on subledger.transaction_versions using brin (run_id) with (pages_per_range = 16);

comment on table subledger.transaction_versions is 'Append-only: the full image of every changed transaction';
comment on column subledger.transaction_versions.subscription_key is 'The subscription';
comment on column subledger.transaction_versions.transaction_id is 'App Store transaction id; Play order id with its ..N';
comment on column subledger.transaction_versions.product_id is 'Product of the row';
comment on column subledger.transaction_versions.version is 'Counts the images from 1';
comment on column subledger.transaction_versions.run_id is 'Run that recorded this image';
comment on column subledger.transaction_versions.recorded_at is 'Logical now of that run';
comment on column subledger.transaction_versions.answer_hash is 'Content hash of the store''s answer that caused it';
comment on column subledger.transaction_versions.lineage_key is 'Lineage of one customer''s subscription';
comment on column subledger.transaction_versions.app_id is 'The owner''s own name of the app';
comment on column subledger.transaction_versions.store is 'app_store or google_play';
comment on column subledger.transaction_versions.environment is 'production or sandbox; sandbox is never in revenue';
comment on column subledger.transaction_versions.original_transaction_id is 'The store''s id of the whole subscription';
comment on column subledger.transaction_versions.period_key is 'One per billed period, whatever transaction id a restore gives it; seats added within a period under the line item of the first have the instant of their purchase behind it';
comment on column subledger.transaction_versions.subscription_group is 'The store''s group of exchangeable products';
comment on column subledger.transaction_versions.base_plan_id is 'Google Play''s base plan of the product; NULL where the store has none or did not say';
comment on column subledger.transaction_versions.kind is 'trial, purchase, renewal, resubscribe, upgrade, downgrade, crossgrade, top_up or one_time';
comment on column subledger.transaction_versions.is_trial_conversion is 'First paid period that follows a trial without a lapse';
comment on column subledger.transaction_versions.offer_type is 'introductory, promotional, code, win_back, retention or other';
comment on column subledger.transaction_versions.offer_id is 'The store''s id of the offer';
comment on column subledger.transaction_versions.ownership is 'purchased, family_shared or assigned (a seat of a group or organization, or what a bundle includes): only purchased has money and subscribers';
comment on column subledger.transaction_versions.quantity is 'Units bought';
comment on column subledger.transaction_versions.seats is 'Seats not refunded of a multiseat purchase; NULL for every other row';
comment on column subledger.transaction_versions.country is 'ISO 3166-1 alpha-2 of the storefront or billing country';
comment on column subledger.transaction_versions.purchased_at is 'When it was charged';
comment on column subledger.transaction_versions.period_start is 'Start of the service period';
comment on column subledger.transaction_versions.period_end is 'End the store stated first, which never moves; NULL for a one-time sale';
comment on column subledger.transaction_versions.price_micros is 'Customer price in micros of the currency, tax as charged; NULL: unknown';
comment on column subledger.transaction_versions.tax_micros is 'Tax in micros, where the store gave it';
comment on column subledger.transaction_versions.proceeds_micros is 'Proceeds in micros, where the store gave them';
comment on column subledger.transaction_versions.recurring_price_micros is 'What a whole period of the plan costs, for the rest of a period after a change of plan; else NULL';
comment on column subledger.transaction_versions.store_discount_micros is 'What the store itself paid of the price (Play Points), micros; NULL where nothing';
comment on column subledger.transaction_versions.currency is 'ISO 4217';
comment on column subledger.transaction_versions.price_source is 'store_order, store_price, price_list or missing';
comment on column subledger.transaction_versions.proceeds_source is 'store_order, store_report, estimated or missing';
comment on column subledger.transaction_versions.refunded_at is 'The store''s refund or revocation instant';
comment on column subledger.transaction_versions.refund_kind is 'full, partial or revoke (family: no money back)';
comment on column subledger.transaction_versions.refund_reason is 'chargeback: the customer''s bank took the money back; NULL: any other refund, or none';
comment on column subledger.transaction_versions.refund_micros is 'Refunded in micros, positive; NULL while the price is unknown';
comment on column subledger.transaction_versions.refund_source is 'store_amount or derived; NULL while refund_micros is, and on images of before this column';
comment on column subledger.transaction_versions.refund_parts is 'Refunds amount by amount, where the store lists them: at, micros, tax; money_only where nothing was taken away with it';
comment on column subledger.transaction_versions.is_upgraded is 'Superseded by an upgrade: ends where its successor begins';
comment on column subledger.transaction_versions.source_version is 'When the store signed or sent this image';
comment on column subledger.transaction_versions.extended_until is 'A later end that the App Store stated since: until then the period covers; NULL where it stated none';
comment on column subledger.transaction_versions.bundle_transaction_id is 'Transaction of the bundle that includes what the row is about: it gives access, and the bundle''s own row is the subscriber; NULL for every other row';
