-- Rows of a chunk that change something, with what they change. A row lives here only within its transaction.
-- Grain: one row per changed transaction of a chunk.
create unlogged table subledger.stage_changes (
    run_id bigint not null,
    chunk_no integer not null,
    answer_hash text,
    is_seen_indirectly boolean not null,
    is_new boolean not null,
    last_seq integer not null default 0,
    charge_seq integer,
    old_amount_micros bigint not null,
    old_currency text,
    old_price_source text,
    old_tax_micros bigint,
    old_proceeds_micros bigint,
    old_refund_micros bigint not null,
    old_refunded_at timestamptz,
    old_refund_parts jsonb,
    amount_micros bigint not null,
    booked_refund_micros bigint not null,
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
    proceeds_source text not null default 'missing',
    refunded_at timestamptz,
    refund_kind text,
    refund_reason text,
    refund_micros bigint,
    refund_source text,
    refund_parts jsonb,
    is_upgraded boolean not null,
    source_version timestamptz not null,
    extended_until timestamptz,
    bundle_transaction_id text
);

create index stage_changes_by_chunk on subledger.stage_changes (run_id, chunk_no);

comment on table subledger.stage_changes is 'Those of them that change something, with what they change';
comment on column subledger.stage_changes.run_id is 'Run of the chunk';
comment on column subledger.stage_changes.chunk_no is 'The chunk';
comment on column subledger.stage_changes.answer_hash is 'Hash of the store''s answer that reported it';
comment on column subledger.stage_changes.is_seen_indirectly is 'Reported in the answer about another subscription';
comment on column subledger.stage_changes.is_new is 'The transaction is not booked yet';
comment on column subledger.stage_changes.last_seq is 'The transaction''s newest ledger entry when the change was found';
comment on column subledger.stage_changes.charge_seq is 'Its newest entry that books the price';
comment on column subledger.stage_changes.old_price_source is 'Where what is booked came from';
comment on column subledger.stage_changes.old_amount_micros is 'What is booked as its price';
comment on column subledger.stage_changes.old_currency is 'In this currency';
comment on column subledger.stage_changes.old_tax_micros is 'Tax that is booked';
comment on column subledger.stage_changes.old_proceeds_micros is 'Proceeds that are booked';
comment on column subledger.stage_changes.old_refund_micros is 'Refund that is booked';
comment on column subledger.stage_changes.old_refunded_at is 'Its instant';
comment on column subledger.stage_changes.old_refund_parts is 'Its parts';
comment on column subledger.stage_changes.amount_micros is 'What is to be booked as its price; 0: nothing';
comment on column subledger.stage_changes.booked_refund_micros is 'What is to be booked as its refund';
comment on column subledger.stage_changes.subscription_key is 'The subscription';
comment on column subledger.stage_changes.transaction_id is 'App Store transaction id; Play order id with its ..N';
comment on column subledger.stage_changes.product_id is 'Product of the row';
comment on column subledger.stage_changes.lineage_key is 'Lineage of one customer''s subscription';
comment on column subledger.stage_changes.app_id is 'The owner''s own name of the app';
comment on column subledger.stage_changes.store is 'app_store or google_play';
comment on column subledger.stage_changes.environment is 'production or sandbox; sandbox is never in revenue';
comment on column subledger.stage_changes.original_transaction_id is 'The store''s id of the whole subscription';
comment on column subledger.stage_changes.period_key is 'One per billed period, whatever transaction id a restore gives it; seats added within a period under the line item of the first have the instant of their purchase behind it';
comment on column subledger.stage_changes.subscription_group is 'The store''s group of exchangeable products';
comment on column subledger.stage_changes.base_plan_id is 'Google Play''s base plan of the product; NULL where the store has none or did not say';
comment on column subledger.stage_changes.kind is 'trial, purchase, renewal, resubscribe, upgrade, downgrade, crossgrade, top_up or one_time';
comment on column subledger.stage_changes.is_trial_conversion is 'First paid period that follows a trial without a lapse';
comment on column subledger.stage_changes.offer_type is 'introductory, promotional, code, win_back, retention or other';
comment on column subledger.stage_changes.offer_id is 'The store''s id of the offer';
comment on column subledger.stage_changes.ownership is 'purchased, family_shared or assigned (a seat of a group or organization, or what a bundle includes): only purchased has money and subscribers';
comment on column subledger.stage_changes.quantity is 'Units bought';
comment on column subledger.stage_changes.seats is 'Seats not refunded of a multiseat purchase; NULL for every other row';
comment on column subledger.stage_changes.country is 'ISO 3166-1 alpha-2 of the storefront or billing country';
comment on column subledger.stage_changes.purchased_at is 'When it was charged';
comment on column subledger.stage_changes.period_start is 'Start of the service period';
comment on column subledger.stage_changes.period_end is 'End the store stated first, which never moves; NULL for a one-time sale';
comment on column subledger.stage_changes.price_micros is 'Customer price in micros of the currency, tax as charged; NULL: unknown';
comment on column subledger.stage_changes.tax_micros is 'Tax in micros, where the store gave it';
comment on column subledger.stage_changes.proceeds_micros is 'Proceeds in micros, where the store gave them';
comment on column subledger.stage_changes.recurring_price_micros is 'What a whole period of the plan costs, for the rest of a period after a change of plan; else NULL';
comment on column subledger.stage_changes.store_discount_micros is 'What the store itself paid of the price (Play Points), micros; NULL where nothing';
comment on column subledger.stage_changes.currency is 'ISO 4217';
comment on column subledger.stage_changes.price_source is 'store_order, store_price, price_list or missing';
comment on column subledger.stage_changes.proceeds_source is 'store_order, store_report, estimated or missing';
comment on column subledger.stage_changes.refunded_at is 'The store''s refund or revocation instant';
comment on column subledger.stage_changes.refund_kind is 'full, partial or revoke (family: no money back)';
comment on column subledger.stage_changes.refund_reason is 'chargeback: the customer''s bank took the money back; NULL: any other refund, or none';
comment on column subledger.stage_changes.refund_micros is 'Refunded in micros, positive; NULL while the price is unknown';
comment on column subledger.stage_changes.refund_source is 'store_amount (the amount that the store states, or the whole price) or derived (computed from a share or from seats); NULL while refund_micros is';
comment on column subledger.stage_changes.refund_parts is 'Refunds amount by amount, where the store lists them: at, micros, tax; money_only where nothing was taken away with it';
comment on column subledger.stage_changes.is_upgraded is 'Superseded by an upgrade: ends where its successor begins';
comment on column subledger.stage_changes.source_version is 'When the store signed or sent this image';
comment on column subledger.stage_changes.extended_until is 'A later end that the App Store stated since: until then the period covers; NULL where it stated none';
comment on column subledger.stage_changes.bundle_transaction_id is 'Transaction of the bundle that includes what the row is about: it gives access, and the bundle''s own row is the subscriber; NULL for every other row';
