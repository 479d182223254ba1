-- For one transaction: names without a schema are the session's own tables and views, where it has any. The rest as for the
-- marts.
set local search_path = pg_catalog, pg_temp, marts, report, subledger;
{include planner}
