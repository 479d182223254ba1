-- The exchange rates of the workbook's Summary: of each currency in use the one that applies to what is bought on the last day, as units
-- of the reporting currency for one of it.
-- Grain: one row per currency in use but the reporting currency itself; rate is NULL where no source quotes it
with used as (
    select currency from revenue
    union
    select currency from metrics where currency is not null
)

select
    used.currency, scope.reporting_currency, round(rate.numerator / rate.denominator, 8)::text as rate,
    rate.rate_date::text as rate_date, rate.source,
    case when rate.is_flagged then 'moved more than 20 % in a day' end as remark
from used
cross join report_scope scope
left join lateral marts.conversion_as_of(
    scope.seal, used.currency, scope.reporting_currency, scope.through_date
) rate on true
where used.currency <> scope.reporting_currency and isfinite(scope.through_date)
order by used.currency collate "C"
