-- rests on: money_movements
-- The money ledger by day, summed by what is alike in every rule and rate: what the revenue report is priced from.
-- Grain: one row per day, place of sale and set of rules. is_refund: refunds and their reversals;
-- is_tax_unreported, are_proceeds_unreported: by the store; country is empty where unknown. Sums in micros, with their sign;
-- moved_micros adds them up without it, listed_micros those of them whose price is the owner's list's. *reporting_micros: in the
-- reporting currency, at the rate of rate_date by rate_source (empty and -infinity where none was needed or found), without the
-- movements that have no rate (unconverted: how many).
create table revenue_daily (
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    country text not null,
    currency text not null,
    product_type text not null,
    purchase_day date not null,
    has_paid_a_year boolean not null,
    is_refund boolean not null,
    is_tax_unreported boolean not null,
    are_proceeds_unreported boolean not null,
    rate_source text not null,
    rate_date date not null,
    is_rate_flagged boolean not null,
    movements bigint not null,
    charges bigint not null,
    refunds bigint not null,
    micros numeric not null,
    moved_micros numeric not null,
    listed_micros numeric not null,
    tax_micros numeric not null,
    proceeds_micros numeric not null,
    reporting_micros numeric not null,
    tax_reporting_micros numeric not null,
    proceeds_reporting_micros numeric not null,
    unconverted bigint not null,
    primary key (
        day, app_id, store, product_id, country, currency, product_type, purchase_day, has_paid_a_year, is_refund,
        is_tax_unreported, are_proceeds_unreported, rate_source, rate_date, is_rate_flagged
    )
);

create index on revenue_daily (day) where movements = 0;
