-- Statements about which lineage and transaction the rows at hand are of, and of money whether it is a charge or a refund.
--
-- Rows of a report differ by product. So each row at hand is given a product of its own that is a substitute for what it is of
-- (pg_temp.row_origins says for what): the report's view then has what each transaction contributes to a figure, by the same text that
-- makes the figure.

-- name: assign_origins
-- Gives the rows at hand their origins in place of their products.
-- Grain of row_origins: one row per product, lineage, transaction (empty where rows are of none alone) and kind of money (charge,
-- refund, or empty where it is none). origin: what is in place of the product.
create temp table row_origins on commit drop as
select
    'row ' || row_number() over (order by made.lineage_key, made.transaction_id, made.product_id, made.money) as origin, made.*
from (
    select product_id, lineage_key, transaction_id, '' as money from pg_temp.new_paid_periods
    union
    select product_id, lineage_key, transaction_id, '' from pg_temp.new_mrr_changes
    union
    select product_id, lineage_key, transaction_id, '' from pg_temp.new_recognition_steps
    union
    select product_id, lineage_key, transaction_id, case when refund_kind is null then 'charge' else 'refund' end
    from pg_temp.new_money_movements
    union
    select product_id, lineage_key, '', '' from pg_temp.new_status_intervals
    union
    select product_id, lineage_key, '', '' from pg_temp.new_trial_outcomes
    union
    select product_id, lineage_key, '', '' from pg_temp.new_monthly_outcomes
) made;

create unique index on pg_temp.row_origins (lineage_key, transaction_id, product_id, money);
create unique index on pg_temp.row_origins (origin);
analyze pg_temp.row_origins;

update pg_temp.new_paid_periods made set product_id = known.origin
from pg_temp.row_origins known
where (known.lineage_key, known.transaction_id, known.product_id, known.money)
    = (made.lineage_key, made.transaction_id, made.product_id, '');

update pg_temp.new_mrr_changes made set product_id = known.origin
from pg_temp.row_origins known
where (known.lineage_key, known.transaction_id, known.product_id, known.money)
    = (made.lineage_key, made.transaction_id, made.product_id, '');

update pg_temp.new_recognition_steps made set product_id = known.origin
from pg_temp.row_origins known
where (known.lineage_key, known.transaction_id, known.product_id, known.money)
    = (made.lineage_key, made.transaction_id, made.product_id, '');

update pg_temp.new_money_movements made set product_id = known.origin
from pg_temp.row_origins known
where (known.lineage_key, known.transaction_id, known.product_id, known.money)
    = (made.lineage_key, made.transaction_id, made.product_id, case when made.refund_kind is null then 'charge' else 'refund' end);

update pg_temp.new_status_intervals made set product_id = known.origin
from pg_temp.row_origins known
where (known.lineage_key, known.transaction_id, known.product_id, known.money) = (made.lineage_key, '', made.product_id, '');

update pg_temp.new_trial_outcomes made set product_id = known.origin
from pg_temp.row_origins known
where (known.lineage_key, known.transaction_id, known.product_id, known.money) = (made.lineage_key, '', made.product_id, '');

update pg_temp.new_monthly_outcomes made set product_id = known.origin
from pg_temp.row_origins known
where (known.lineage_key, known.transaction_id, known.product_id, known.money) = (made.lineage_key, '', made.product_id, '');

-- name: list_origins
-- What some are substitutes for. Grain: one row per origin asked for that there is. $1 origins
select known.origin, known.product_id, known.lineage_key, known.transaction_id, known.money
from pg_temp.row_origins known
where known.origin = any ($1::text[])
