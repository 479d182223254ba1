-- The seal up to which the books are known to close; NULL: the checks look at everything, which they do once in seven days.
-- What the last night wrote is looked at again by a report that is asked for after it, whatever was sealed between.
-- Grain: one row. $1 seal, $2 business date
with night as (
    select coalesce(max(run.seal), $1::bigint) as seal
    from subledger.runs run
    where run.job = 'nightly' and run.seal <= $1::bigint
)

select max(checked.seal) as seal
from marts.checked
cross join night
where checked.seal < night.seal
    and exists (select from marts.checked proof where proof.full_proof_on > $2::date - 7)
