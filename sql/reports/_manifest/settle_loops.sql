-- For this transaction: whether the planner may loop over what it takes for a handful of rows. Where a check reads some
-- subscriptions, or all, of an as-of function, it takes many thousands for one. Grain: one row. $1 whether it may
select set_config('enable_nestloop', case when $1::boolean then 'on' else 'off' end, true) as enable_nestloop
