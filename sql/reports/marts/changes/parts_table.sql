-- What the lineages that were written of since the last issue contribute to the figures, as that issue knew them and now.
-- Grain: one row per figure, day, app, product and transaction; currency units × 10^9 (nanos of the currency), or lineages.
-- has_new_entry: an entry of money was brought since.
create table figure_parts (
    figure text not null,
    day date not null,
    app_id text not null,
    product_id text not null,
    transaction_id text not null,
    before numeric not null,
    after numeric not null,
    has_new_entry boolean not null,
    primary key (figure, day, app_id, product_id, transaction_id)
);
