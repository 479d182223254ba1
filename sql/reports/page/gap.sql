-- The dates right before the report's on which no night was sealed. Grain: one row, none where there are none. $1 seal, $2 business date
select gap.first_date::text as first_date, gap.last_date::text as last_date
from subledger.night_gaps($1::bigint) gap
where gap.last_date = $2::date - 1
