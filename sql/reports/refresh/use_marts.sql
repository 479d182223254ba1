-- For one transaction: names without a schema are the marts. Costs are those of pages in memory: what a night wrote of is
-- found by its keys (at the defaults of 1 and 4 the whole history is read instead).
set local search_path = pg_catalog, marts, report, subledger, pg_temp;
{include planner}
