-- Dates on which no night was sealed, since the first one on which one was: between two of them, and from the newest to the day before
-- the business date, whose own night may yet come. The newest first. Grain: one row per unbroken run of such dates. $1 business date
select gap.first_date::text as first_date, gap.last_date::text as last_date
from subledger.settings known
cross join lateral (
    select passed.first_date, passed.last_date
    from subledger.night_gaps(known.last_seal) passed
    union all
    select max(run.business_date) + 1, $1::date - 1
    from subledger.runs run
    where run.job = 'nightly' and run.seal <= known.last_seal
) gap
where gap.first_date <= gap.last_date
order by gap.first_date desc
