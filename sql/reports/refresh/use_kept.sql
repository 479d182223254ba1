-- For one transaction: names without a schema are the kept tables. Costs are those of a database that is mostly in memory:
-- what a night touched is found by its keys (at the default of 4 the whole history is read instead).
set local search_path = report, subledger;
set local jit = off;
set local work_mem = '64MB';
set local random_page_cost = 1.1;
