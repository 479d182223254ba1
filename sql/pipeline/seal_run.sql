-- Seals a run: its data is complete. The settings row serialises seals, so they are numbered in the order of commits.
-- Grain: one row. $1 run, $2 generation
with next as (
    update subledger.settings set last_seal = last_seal + 1
    where exists (
        select from subledger.runs
        where run_id = $1::bigint and leader_generation = $2::bigint and seal is null
    )
    returning last_seal
)

update subledger.runs set seal = next.last_seal, sealed_at = clock_timestamp()
from next
where run_id = $1::bigint
returning seal
