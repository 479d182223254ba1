-- For one transaction: the seal, zone and currency that rows are made for (one row), and the lineages at hand, by the keys of all
-- their subscriptions. A lineage bears the key of one of its subscriptions.
create temp table report_scope (
    seal bigint not null,
    from_date date not null,
    through_date date not null,
    time_zone text not null,
    reporting_currency text not null
) on commit drop;

create temp table marked_lineages (
    key bigint primary key
) on commit drop;

create temp table compared_parts (
    is_now boolean not null,
    figure text not null,
    day date not null,
    app_id text not null,
    product_id text not null,
    transaction_id text not null,
    amount numeric not null,
    seal bigint
) on commit drop;
