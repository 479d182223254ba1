-- Records that an issue's folder is taken away, once. Grain: one row. $1 seal
insert into subledger.pruned_issues (run_id)
select run_id from subledger.report_issues where seal = $1::bigint
on conflict (run_id) do nothing
