-- Which of these stamps are of no run that was sealed so in this database: its commit was lost, with a server whose place this one took or
-- after the backup that this one was restored from. One that is sealed so is known, whatever else its process came to.
-- Grain: one row per unknown stamp, its place counted from one. $1 runs, $2 seals, $3 their logical clocks
select stamp.place
from unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) with ordinality as stamp (run_id, seal, logical_now, place)
where not exists (
    select from subledger.runs known
    where known.run_id = stamp.run_id and known.seal = stamp.seal and known.logical_now = stamp.logical_now
)
order by stamp.place
