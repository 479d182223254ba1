-- Statements about the seals that a figure is compared at.

-- name: read_seal
-- The instant a run reports as of. Grain: one row. $1 seal
select run.logical_now, run.business_date::text as business_date
from subledger.runs run
where run.seal = $1::bigint

-- name: imports_since
-- Whether exchange rates, or commission rules and tax rates, were imported between two seals; no row of the books says so.
-- Grain: one row. $1 earlier seal, $2 later seal
with since as materialized (
    select run.run_id
    from subledger.runs run
    where run.seal > $1::bigint and run.seal <= $2::bigint
)

select
    exists (select from subledger.fx_rates rate join since on since.run_id = rate.recorded_run_id) as has_rates,
    exists (select from subledger.commission_rules rule join since on since.run_id = rule.recorded_run_id)
        or exists (select from subledger.tax_rates rate join since on since.run_id = rate.recorded_run_id) as has_rules
