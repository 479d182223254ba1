-- rests on: subledger.runs, subledger.transaction_versions
-- The transactions of the lineages at hand as the seal saw them: the newest image that runs sealed by then wrote.
-- Grain: one row per (subscription_key, transaction_id, product_id).
create temp table known_transactions on commit drop as
select distinct on (image.subscription_key, image.transaction_id, image.product_id) image.*
from pg_temp.marked_lineages
join subledger.transaction_versions image on image.subscription_key = marked_lineages.key
join subledger.runs run on run.run_id = image.run_id
join pg_temp.report_scope scope on run.seal <= scope.seal
order by image.subscription_key, image.transaction_id, image.product_id, image.version desc;

create index on pg_temp.known_transactions (subscription_key, transaction_id, product_id);
analyze pg_temp.known_transactions;
