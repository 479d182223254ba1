-- Remembers that the checks of a seal passed, and whether they looked at everything; after a failure everything is looked at
-- until the books close again. Days that no later check looks at for having moved are forgotten.
-- $1 seal, $2 whether all passed, $3 business date of a full proof, NULL: of a part
with failed as (
    delete from marts.checked where not $2::boolean
),

-- As checked_through goes on from them.
night as (
    select coalesce(max(run.seal), $1::bigint) as seal
    from subledger.runs run
    where run.job = 'nightly' and run.seal <= $1::bigint
),

forgotten as (
    delete from marts.moved_days
    where seal <= (select max(checked.seal) from marts.checked join night on checked.seal < night.seal)
)

insert into marts.checked as known (seal, full_proof_on)
select $1::bigint, $3::date
where $2::boolean
on conflict (seal) do update set full_proof_on = coalesce(excluded.full_proof_on, known.full_proof_on)
