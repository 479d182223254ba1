-- Dates on which no night was sealed, between two on which one was, the newest first. Grain: one row per unbroken run of such dates.
select gap.first_date::text as first_date, gap.last_date::text as last_date
from subledger.settings known
cross join lateral subledger.night_gaps(known.last_seal) gap
order by gap.first_date desc
