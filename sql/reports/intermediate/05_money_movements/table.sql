-- key: lineage_key, subscription_key, transaction_id, product_id, seq
-- rests on: known_entries, known_transactions, purchase_rates, years_paid, marts.converted, marts.day_of, marts.zone_of,
-- rests on: subledger.runs, subledger.time_zone_of_store
-- The money ledger with what the reports need to know of each entry.
-- Grain: one row per ledger entry; micros of the currency with their sign. day: of the entry in the report time zone.
--
-- product_type distinguishes one-time sales, prepaid top-ups and auto-renewing subscriptions. purchase_day (in UTC) is the
-- day whose rules, tax and exchange rates apply, also for a refund; charge_month is the month of the charge. has_paid_a_year
-- is set only where the store did not report the proceeds, and matters only there. source: of the amount.
--
-- refund_kind: full, where the entry gives the whole price back; partial; reversal; NULL for what is no refund.
-- refunds_undone: the refunds that a reversal wholly undoes. refunded_charges: 1 where the charge begins to be refunded, −1
-- where its refunds were wholly taken back. seal: that brought the entry.
--
-- *reporting_micros: the same in the reporting currency, to twelve digits of a micro, at the rate of the purchase's day
-- (numerator ÷ denominator, by rate_source of rate_date; flagged: it moved more than 20 % in a day); NULL where there is no rate.
create table money_movements (
    lineage_key bigint not null,
    subscription_key bigint not null,
    transaction_id text not null,
    product_id text not null,
    seq integer not null,
    kind text not null,
    occurred_at timestamptz not null,
    day date not null,
    app_id text not null,
    store text not null,
    country text,
    currency text not null,
    product_type text not null,
    amount_micros bigint not null,
    tax_micros bigint,
    proceeds_micros bigint,
    purchase_day date not null,
    charge_month date,
    has_paid_a_year boolean not null,
    refund_kind text,
    refunds_undone bigint not null,
    refunded_charges bigint not null,
    source text not null,
    seal bigint not null,
    reporting_micros numeric,
    tax_reporting_micros numeric,
    proceeds_reporting_micros numeric,
    rate_numerator numeric,
    rate_denominator numeric,
    rate_source text,
    rate_date date,
    is_rate_flagged boolean,
    primary key (lineage_key, subscription_key, transaction_id, product_id, seq)
);

-- Those that a new rate concerns.
create index on money_movements (purchase_day);
