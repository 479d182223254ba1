-- The level of service of an app's products on the day of a run, from its product lists.
-- Grain: one row per listed product and base plan (empty: any); level 1 is the highest, NULL where the list has none.
-- $1 app, $2 the run's now
select distinct on (product_id, base_plan_id) product_id, base_plan_id, level
from subledger.products
where app_id = $1::text and valid_from <= ($2::timestamptz at time zone 'UTC')::date
order by product_id, base_plan_id, valid_from desc, recorded_run_id desc
