-- For one transaction: names without a schema are the kept tables. Costs are those of pages in memory: what a night touched is
-- found by its keys (at the defaults of 1 and 4 the whole history is read instead).
set local search_path = pg_catalog, marts, report, subledger, pg_temp;
{include planner}
