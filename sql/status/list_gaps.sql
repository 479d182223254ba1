-- Dates on which no night was sealed, since the first one on which one was, to the day before the business date, whose own night may
-- yet come; so may one that is open, whose date is none of them. The newest first.
-- Grain: one row per unbroken run of such dates. $1 business date
with sealed as (
    select run.business_date
    from subledger.runs run
    join subledger.settings known on run.seal <= known.last_seal
    where run.job = 'nightly'
),

dated as (
    select sealed.business_date from sealed
    union
    select run.business_date from subledger.runs run where run.job = 'nightly' and run.outcome = 'running'
    union
    select $1::date where $1::date > (select max(sealed.business_date) from sealed)
)

select (gap.business_date + 1)::text as first_date, (gap.next_date - 1)::text as last_date
from (
    select dated.business_date, lead(dated.business_date) over (order by dated.business_date) as next_date
    from dated
    where dated.business_date >= (select min(sealed.business_date) from sealed)
) gap
where gap.next_date > gap.business_date + 1
order by gap.business_date desc
