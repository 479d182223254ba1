-- Planning joins large sets, by hash and sort: statistics of last night say that nearly nothing is due, and of a new run
-- that nothing is planned, and a loop chosen by them would look at every pair. For the transaction.
select set_config('enable_nestloop', 'off', true) as enable_nestloop, set_config('work_mem', '64MB', true) as work_mem
