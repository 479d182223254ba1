-- For one transaction: names without a schema are the session's own tables and views, where it has any. The rest as for the
-- kept tables.
set local search_path = pg_catalog, pg_temp, report, subledger;
-- With 64 MB a backend held 353 MB of a million transactions, with 32 it holds 201 and is no slower.
set local work_mem = '32MB';
set local seq_page_cost = 0.1;
set local random_page_cost = 0.1;
-- 3,000 rows say enough of a table that lives as long as this transaction: nights that touched 1 % of a million transactions took
-- 10.2 s, and 10.6 where each such table was analysed by 30,000 (means of three, in turns).
set local default_statistics_target = 10;
