-- Remembers that the checks of a seal passed; after a failure everything is looked at until the books close again.
-- $1 seal, $2 whether all passed
with failed as (
    delete from report.checked where not $2::boolean
)

insert into report.checked (seal)
select $1::bigint
where $2::boolean
on conflict (seal) do nothing
