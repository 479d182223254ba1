-- rests on: money_movements
-- Charges and what became of them, by the day it happened and the month of the charge.
-- Grain: one row per day, month of the charge, app, store, product and currency. refunded_charges: charges of which something
-- came to be refunded on the day, less those whose refunds were wholly taken back. Sums in micros; those in the reporting currency without the
-- entries that have no rate (unconverted, and of them refunds and their reversals: how many).
create table refund_rates_daily (
    day date not null,
    charge_month date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    currency text not null,
    entries bigint not null,
    charges bigint not null,
    refunds bigint not null,
    refunded_charges bigint not null,
    charged_micros numeric not null,
    refunded_micros numeric not null,
    charged_reporting_micros numeric not null,
    refunded_reporting_micros numeric not null,
    unconverted bigint not null,
    unconverted_refunds bigint not null,
    primary key (day, charge_month, app_id, store, product_id, currency)
);

create index on refund_rates_daily (day) where entries = 0;
