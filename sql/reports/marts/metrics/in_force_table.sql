-- rests on: paid_periods
-- MRR that came into force or went, by day and by what its tax and commission hang on.
-- Grain: one row per day, app, store, product, currency, country (empty where unknown), day of the purchase (UTC) and what the
-- store reported. number: periods that began less those that ended, of steps in all; nanos: their MRR; net_nanos,
-- proceeds_nanos: what the store reported of it net of tax and as proceeds (0 where it did not).
-- *reporting_nanos: in the reporting currency, without the periods that have no rate (unconverted: began less ended).
create table mrr_in_force_daily (
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    currency text not null,
    country text not null,
    purchase_day date not null,
    has_paid_a_year boolean not null,
    is_tax_stated boolean not null,
    are_proceeds_reported boolean not null,
    steps bigint not null,
    number bigint not null,
    nanos numeric not null,
    net_nanos numeric not null,
    proceeds_nanos numeric not null,
    reporting_nanos numeric not null,
    net_reporting_nanos numeric not null,
    proceeds_reporting_nanos numeric not null,
    unconverted bigint not null,
    primary key (
        day, app_id, store, product_id, currency, country, purchase_day, has_paid_a_year, is_tax_stated, are_proceeds_reported
    )
);

create index on mrr_in_force_daily (day) where steps = 0;
