-- For this transaction: a report is a few large statements, which compiling and small sorts only slow down.
select set_config('jit', 'off', true) as jit, set_config('work_mem', '64MB', true) as work_mem
