-- Runs that have not ended and whose leader is dead: its lease is over. Grain: one row per run.
select run.run_id, run.job, run.business_date::text as business_date
from subledger.runs run
where run.outcome = 'running' and (run.leased_until > clock_timestamp()) is not true
order by run.run_id
