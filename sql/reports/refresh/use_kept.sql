-- For one transaction: names without a schema are the kept tables. Costs are those of pages in memory: what a night touched is
-- found by its keys (at the defaults of 1 and 4 the whole history is read instead).
set local search_path = report, subledger;
-- With 64 MB a backend held 353 MB of a million transactions, with 32 it holds 201 and is no slower.
set local work_mem = '32MB';
set local seq_page_cost = 0.1;
set local random_page_cost = 0.1;
