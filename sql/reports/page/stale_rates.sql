-- Currencies in use whose exchange rates ended before the report's last days. Grain: one row per currency. $1 seal, $2 last day
select currency, newest::text as newest
from subledger.stale_rates($1::bigint, $2::date, subledger.reporting_currency_as_of($1::bigint))
order by currency
