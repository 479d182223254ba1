-- What the checks of totals compare the reports with, for one transaction: the books themselves, read once for all checks.

-- What the ledger says. Grain: one row per day, app, store, product and currency; micros with their sign, refund_micros those
-- of refunds and their reversals.
create temp table booked_money (
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    currency text not null,
    micros numeric not null,
    refund_micros numeric not null
) on commit drop;

-- What the paid periods say. Grain: one row per day, app, store, product and currency: periods and MRR that began less those
-- that ended; of unbroken stretches of periods (segments) those that began, those that ended, and those whose end the churn
-- report counts.
create temp table period_steps (
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    currency text,
    periods bigint not null,
    nanos numeric not null,
    reporting_nanos numeric not null,
    segment_starts bigint not null,
    segment_ends bigint not null,
    reported_ends bigint not null
) on commit drop;
