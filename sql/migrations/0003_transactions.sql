-- Canonical transactions (today's picture), every image they ever had, and the append-only money ledger.

create table subledger.transactions (
    subscription_key bigint not null,
    transaction_id text not null check (transaction_id <> ''),
    product_id text not null check (product_id <> ''),
    lineage_key bigint not null,
    app_id text not null,
    store text not null check (store in ('app_store', 'google_play')),
    environment text not null check (environment in ('production', 'sandbox')),
    original_transaction_id text,
    period_key text not null,
    subscription_group text,
    kind text not null check (
        kind in ('trial', 'purchase', 'renewal', 'resubscribe', 'upgrade', 'downgrade', 'crossgrade', 'top_up',
            'one_time')),
    is_trial_conversion boolean not null default false,
    offer_type text check (offer_type in ('introductory', 'promotional', 'code', 'win_back')),
    offer_id text,
    ownership text not null check (ownership in ('purchased', 'family_shared')),
    quantity bigint not null default 1 check (quantity > 0),
    country text check (country ~ '^[A-Z]{2}$'),
    purchased_at timestamptz not null,
    period_start timestamptz not null,
    period_end timestamptz,
    price_micros bigint check (price_micros >= 0),
    tax_micros bigint,
    proceeds_micros bigint,
    currency text check (currency ~ '^[A-Z]{3}$'),
    price_source text not null check (price_source in ('store_order', 'store_price', 'price_list', 'missing')),
    proceeds_source text not null default 'missing' check (
        proceeds_source in ('store_order', 'store_report', 'estimated', 'missing')),
    refunded_at timestamptz,
    refund_kind text check (refund_kind in ('full', 'partial', 'revoke')),
    refund_micros bigint check (refund_micros >= 0),
    is_upgraded boolean not null default false,
    source_version timestamptz not null,
    recorded_run_id bigint not null,
    changed_run_id bigint not null,
    primary key (subscription_key, transaction_id, product_id),
    constraint one_period_once unique (subscription_key, period_key, product_id),
    constraint periods_run_forward check (period_end >= period_start),
    constraint one_time_sales_have_no_end check ((kind = 'one_time') = (period_end is null)),
    constraint known_prices_have_a_currency check (price_micros is null or currency is not null),
    constraint missing_prices_are_null check ((price_source = 'missing') = (price_micros is null)),
    constraint refunds_say_when_and_how check ((refunded_at is null) = (refund_kind is null)),
    constraint refund_amounts_belong_to_refunds check (refund_micros is null or refunded_at is not null)
) with (fillfactor = 90);
create index transactions_by_id on subledger.transactions (transaction_id);
create index transactions_by_run on subledger.transactions (recorded_run_id);

-- Full images, by version; an as-of view reads the newest one its seal can see.
create table subledger.transaction_versions (
    subscription_key bigint not null,
    transaction_id text not null,
    product_id text not null,
    version bigint not null check (version > 0),
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
    kind text not null,
    is_trial_conversion boolean not null,
    offer_type text,
    offer_id text,
    ownership text not null,
    quantity bigint not null,
    country text,
    purchased_at timestamptz not null,
    period_start timestamptz not null,
    period_end timestamptz,
    price_micros bigint,
    tax_micros bigint,
    proceeds_micros bigint,
    currency text,
    price_source text not null,
    proceeds_source text not null,
    refunded_at timestamptz,
    refund_kind text,
    refund_micros bigint,
    is_upgraded boolean not null,
    source_version timestamptz not null,
    primary key (subscription_key, transaction_id, product_id, version)
);

create table subledger.transaction_aliases (
    subscription_key bigint not null,
    alias_transaction_id text not null,
    transaction_id text not null,
    recorded_run_id bigint not null,
    primary key (subscription_key, alias_transaction_id)
);

create table subledger.ledger_entries (
    subscription_key bigint not null,
    transaction_id text not null,
    product_id text not null,
    seq integer not null check (seq > 0),
    kind text not null check (kind in ('charge', 'refund', 'refund_reversal', 'correction')),
    corrects integer,
    occurred_at timestamptz not null,
    recorded_at timestamptz not null,
    run_id bigint not null,
    amount_micros bigint not null check (amount_micros <> 0),
    tax_micros bigint,
    proceeds_micros bigint,
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    source text not null check (source in ('store_order', 'store_price', 'price_list')),
    primary key (subscription_key, transaction_id, product_id, seq),
    constraint charges_come_first check (kind = 'charge' or seq > 1),
    constraint amounts_carry_their_sign check (
        case kind when 'charge' then amount_micros > 0 when 'refund' then amount_micros < 0
            when 'refund_reversal' then amount_micros > 0 else true end),
    constraint corrections_name_what_they_correct check ((kind = 'correction') = (corrects is not null))
);

create index ledger_entries_by_run on subledger.ledger_entries (run_id);

-- What a row is booked with: production, purchased rows with a known price above zero; everything else is counted apart.
create function subledger.bookable_micros(environment text, ownership text, kind text, amount_micros bigint)
returns bigint language sql immutable parallel safe
return case
    when environment = 'production' and ownership = 'purchased' and kind <> 'trial' then coalesce(amount_micros, 0)
    else 0
end;

-- History is append-only: the database itself refuses to rewrite it.
create function subledger.refuse_rewriting_history() returns trigger language plpgsql as $$
begin
    raise exception '%.% is append-only', tg_table_schema, tg_table_name using errcode = 'restrict_violation';
end
$$;
create trigger append_only before update or delete on subledger.ledger_entries
for each row execute function subledger.refuse_rewriting_history();
create trigger append_only before update or delete on subledger.transaction_versions
for each row execute function subledger.refuse_rewriting_history();
create trigger append_only before update or delete on subledger.state_changes
for each row execute function subledger.refuse_rewriting_history();
create trigger append_only before update or delete on subledger.lineage_links
for each row execute function subledger.refuse_rewriting_history();

-- Dated small tables: append-only, the newest row valid at a date wins.
create table subledger.products (
    app_id text not null,
    product_id text not null,
    period text,
    subscription_group text,
    level integer,
    valid_from date not null default '-infinity',
    recorded_run_id bigint not null,
    primary key (app_id, product_id, valid_from, recorded_run_id)
);
create table subledger.prices (
    app_id text not null,
    product_id text not null,
    country text not null default '',
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    price_micros bigint not null check (price_micros >= 0),
    valid_from date not null default '-infinity',
    recorded_run_id bigint not null,
    primary key (app_id, product_id, country, currency, valid_from, recorded_run_id)
);
create table subledger.fx_rates (
    base text not null check (base ~ '^[A-Z]{3}$'),
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    rate_date date not null,
    rate numeric not null check (rate > 0),
    recorded_run_id bigint not null,
    primary key (base, currency, rate_date, recorded_run_id)
);
create table subledger.commission_rules (
    rule text not null,
    store text not null check (store in ('app_store', 'google_play')),
    app_id text not null default '',
    country text not null default '',
    rate numeric not null check (rate between 0 and 1),
    valid_from date not null,
    recorded_run_id bigint not null,
    primary key (rule, store, app_id, country, valid_from, recorded_run_id)
);
create table subledger.tax_rates (
    country text not null check (country ~ '^[A-Z]{2}$'),
    rate numeric not null check (rate >= 0),
    is_inclusive boolean not null,
    valid_from date not null,
    recorded_run_id bigint not null,
    primary key (country, valid_from, recorded_run_id)
);

comment on table subledger.transactions is 'One row per settled period or one-time sale: today''s picture';
comment on column subledger.transactions.subscription_key is 'The subscription';
comment on column subledger.transactions.transaction_id is 'App Store transaction id; Play order id with its ..N';
comment on column subledger.transactions.product_id is 'Product of the row';
comment on column subledger.transactions.lineage_key is 'Line of one customer''s subscription';
comment on column subledger.transactions.app_id is 'The owner''s own name of the app';
comment on column subledger.transactions.store is 'app_store or google_play';
comment on column subledger.transactions.environment is 'production or sandbox; sandbox is never in revenue';
comment on column subledger.transactions.original_transaction_id is 'The store''s id of the whole subscription';
comment on column subledger.transactions.period_key is 'One per billed period, whatever transaction id a restore gives it';
comment on column subledger.transactions.subscription_group is 'The store''s group of exchangeable products';
comment on column subledger.transactions.kind is 'trial, purchase, renewal, resubscribe, upgrade, downgrade, crossgrade, top_up or one_time';
comment on column subledger.transactions.is_trial_conversion is 'First paid period that follows a trial without a lapse';
comment on column subledger.transactions.offer_type is 'introductory, promotional, code or win_back';
comment on column subledger.transactions.offer_id is 'The store''s id of the offer';
comment on column subledger.transactions.ownership is 'purchased or family_shared';
comment on column subledger.transactions.quantity is 'Units bought';
comment on column subledger.transactions.country is 'ISO 3166-1 alpha-2 of the storefront or billing country';
comment on column subledger.transactions.purchased_at is 'When it was charged';
comment on column subledger.transactions.period_start is 'Start of the service period';
comment on column subledger.transactions.period_end is 'End the store stated; NULL for a one-time sale';
comment on column subledger.transactions.price_micros is 'Customer price in micros of the currency, tax as charged; NULL: unknown';
comment on column subledger.transactions.tax_micros is 'Tax in micros, where the store gave it';
comment on column subledger.transactions.proceeds_micros is 'Proceeds in micros, where the store gave them';
comment on column subledger.transactions.currency is 'ISO 4217';
comment on column subledger.transactions.price_source is 'store_order, store_price, price_list or missing';
comment on column subledger.transactions.proceeds_source is 'store_order, store_report, estimated or missing';
comment on column subledger.transactions.refunded_at is 'The store''s refund or revocation instant';
comment on column subledger.transactions.refund_kind is 'full, partial or revoke (family: no money back)';
comment on column subledger.transactions.refund_micros is 'Refunded in micros, positive; NULL while the price is unknown';
comment on column subledger.transactions.is_upgraded is 'Superseded by an upgrade: ends where its successor begins';
comment on column subledger.transactions.source_version is 'When the store signed or sent this image';
comment on column subledger.transactions.recorded_run_id is 'Run that first recorded it';
comment on column subledger.transactions.changed_run_id is 'Run that last changed it';
comment on table subledger.transaction_versions is 'Append-only: the full image of every changed transaction';
comment on column subledger.transaction_versions.subscription_key is 'The subscription';
comment on column subledger.transaction_versions.transaction_id is 'App Store transaction id; Play order id with its ..N';
comment on column subledger.transaction_versions.product_id is 'Product of the row';
comment on column subledger.transaction_versions.version is 'Counts the images from 1';
comment on column subledger.transaction_versions.run_id is 'Run that recorded this image';
comment on column subledger.transaction_versions.recorded_at is 'Logical now of that run';
comment on column subledger.transaction_versions.answer_hash is 'Content hash of the store''s answer that caused it';
comment on column subledger.transaction_versions.lineage_key is 'Line of one customer''s subscription';
comment on column subledger.transaction_versions.app_id is 'The owner''s own name of the app';
comment on column subledger.transaction_versions.store is 'app_store or google_play';
comment on column subledger.transaction_versions.environment is 'production or sandbox; sandbox is never in revenue';
comment on column subledger.transaction_versions.original_transaction_id is 'The store''s id of the whole subscription';
comment on column subledger.transaction_versions.period_key is 'One per billed period, whatever transaction id a restore gives it';
comment on column subledger.transaction_versions.subscription_group is 'The store''s group of exchangeable products';
comment on column subledger.transaction_versions.kind is 'trial, purchase, renewal, resubscribe, upgrade, downgrade, crossgrade, top_up or one_time';
comment on column subledger.transaction_versions.is_trial_conversion is 'First paid period that follows a trial without a lapse';
comment on column subledger.transaction_versions.offer_type is 'introductory, promotional, code or win_back';
comment on column subledger.transaction_versions.offer_id is 'The store''s id of the offer';
comment on column subledger.transaction_versions.ownership is 'purchased or family_shared';
comment on column subledger.transaction_versions.quantity is 'Units bought';
comment on column subledger.transaction_versions.country is 'ISO 3166-1 alpha-2 of the storefront or billing country';
comment on column subledger.transaction_versions.purchased_at is 'When it was charged';
comment on column subledger.transaction_versions.period_start is 'Start of the service period';
comment on column subledger.transaction_versions.period_end is 'End the store stated; NULL for a one-time sale';
comment on column subledger.transaction_versions.price_micros is 'Customer price in micros of the currency, tax as charged; NULL: unknown';
comment on column subledger.transaction_versions.tax_micros is 'Tax in micros, where the store gave it';
comment on column subledger.transaction_versions.proceeds_micros is 'Proceeds in micros, where the store gave them';
comment on column subledger.transaction_versions.currency is 'ISO 4217';
comment on column subledger.transaction_versions.price_source is 'store_order, store_price, price_list or missing';
comment on column subledger.transaction_versions.proceeds_source is 'store_order, store_report, estimated or missing';
comment on column subledger.transaction_versions.refunded_at is 'The store''s refund or revocation instant';
comment on column subledger.transaction_versions.refund_kind is 'full, partial or revoke (family: no money back)';
comment on column subledger.transaction_versions.refund_micros is 'Refunded in micros, positive; NULL while the price is unknown';
comment on column subledger.transaction_versions.is_upgraded is 'Superseded by an upgrade: ends where its successor begins';
comment on column subledger.transaction_versions.source_version is 'When the store signed or sent this image';
comment on table subledger.transaction_aliases is 'A known period that came back under another transaction id (a restore)';
comment on column subledger.transaction_aliases.subscription_key is 'The subscription';
comment on column subledger.transaction_aliases.alias_transaction_id is 'The later id';
comment on column subledger.transaction_aliases.transaction_id is 'The first id, which stays';
comment on column subledger.transaction_aliases.recorded_run_id is 'Run that recorded it';
comment on table subledger.ledger_entries is 'Append-only money: never updated, never deleted';
comment on column subledger.ledger_entries.subscription_key is 'The subscription';
comment on column subledger.ledger_entries.transaction_id is 'The transaction';
comment on column subledger.ledger_entries.product_id is 'Its product';
comment on column subledger.ledger_entries.seq is 'Counts the transaction''s entries from 1';
comment on column subledger.ledger_entries.kind is 'charge, refund, refund_reversal or correction';
comment on column subledger.ledger_entries.corrects is 'seq of the entry a correction corrects';
comment on column subledger.ledger_entries.occurred_at is 'When the money moved, by the store';
comment on column subledger.ledger_entries.recorded_at is 'Logical now of the run that learned it';
comment on column subledger.ledger_entries.run_id is 'Run that recorded it';
comment on column subledger.ledger_entries.amount_micros is 'Signed micros of the currency: refunds are negative';
comment on column subledger.ledger_entries.tax_micros is 'Tax within it, where the store gave it';
comment on column subledger.ledger_entries.proceeds_micros is 'Proceeds within it, where the store gave them';
comment on column subledger.ledger_entries.currency is 'ISO 4217';
comment on column subledger.ledger_entries.source is 'Where the amount comes from';
comment on table subledger.products is 'Dated product facts by import; append-only';
comment on column subledger.products.app_id is 'The app';
comment on column subledger.products.product_id is 'The product';
comment on column subledger.products.period is 'ISO 8601 duration';
comment on column subledger.products.subscription_group is 'Group of exchangeable products';
comment on column subledger.products.level is 'Level in its group, 1 the highest';
comment on column subledger.products.valid_from is 'From this date on';
comment on column subledger.products.recorded_run_id is 'Run that recorded it';
comment on table subledger.prices is 'Dated price list by import; append-only';
comment on column subledger.prices.app_id is 'The app';
comment on column subledger.prices.product_id is 'The product';
comment on column subledger.prices.country is 'ISO 3166-1 alpha-2; empty: any';
comment on column subledger.prices.currency is 'ISO 4217';
comment on column subledger.prices.price_micros is 'Customer price in micros';
comment on column subledger.prices.valid_from is 'From this date on';
comment on column subledger.prices.recorded_run_id is 'Run that recorded it';
comment on table subledger.fx_rates is 'Dated exchange rates; append-only';
comment on column subledger.fx_rates.base is 'ISO 4217';
comment on column subledger.fx_rates.currency is 'ISO 4217';
comment on column subledger.fx_rates.rate_date is 'Date of publication';
comment on column subledger.fx_rates.rate is 'Units of the currency per one of the base';
comment on column subledger.fx_rates.recorded_run_id is 'Run that recorded it';
comment on table subledger.commission_rules is 'Dated commission rates of the stores; append-only';
comment on column subledger.commission_rules.rule is 'Name of the rule';
comment on column subledger.commission_rules.store is 'The store';
comment on column subledger.commission_rules.app_id is 'The app; empty: any';
comment on column subledger.commission_rules.country is 'ISO 3166-1 alpha-2; empty: any';
comment on column subledger.commission_rules.rate is 'Share of the price, 0 to 1';
comment on column subledger.commission_rules.valid_from is 'From this date on';
comment on column subledger.commission_rules.recorded_run_id is 'Run that recorded it';
comment on table subledger.tax_rates is 'Dated tax rates; append-only';
comment on column subledger.tax_rates.country is 'ISO 3166-1 alpha-2';
comment on column subledger.tax_rates.rate is 'Share, such as 0.19';
comment on column subledger.tax_rates.is_inclusive is 'The customer price includes it';
comment on column subledger.tax_rates.valid_from is 'From this date on';
comment on column subledger.tax_rates.recorded_run_id is 'Run that recorded it';
