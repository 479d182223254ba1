-- What the last days came to in the reporting currency, for the head of the page; amounts in micros, NULL where nothing has
-- a rate. unconverted: movements that are left out of it. estimated, listed, missing: millionths of what moved whose proceeds are
-- estimated, whose price is the owner's list's, whose proceeds nobody knows.
-- Grain: two rows, the last day in scope first.
with sold as (
    select *, gross_reporting + refunded_reporting as moved
    from revenue
)

select
    coalesce(
        max(sold.reporting_currency),
        subledger.reporting_currency_as_of(max(scope.seal))
    ) as currency,
    (sum(sold.gross_reporting) * 1000000)::bigint as gross,
    (sum(sold.refunded_reporting) * 1000000)::bigint as refunded,
    (sum(sold.net_reporting) * 1000000)::bigint as net,
    (sum(sold.proceeds_reporting) * 1000000)::bigint as proceeds,
    coalesce(sum(sold.unconverted), 0)::bigint as unconverted,
    (report.ratio(sum(sold.estimated_share * sold.moved), sum(sold.moved)) * 1000000)::bigint as estimated,
    (report.ratio(sum(sold.listed_share * sold.moved), sum(sold.moved)) * 1000000)::bigint as listed,
    (report.ratio(sum(sold.missing_share * sold.moved), sum(sold.moved)) * 1000000)::bigint as missing
from report_scope scope
cross join generate_series(scope.through_date, scope.through_date - 1, interval '-1 day') day
left join sold on sold.date = day::date
group by day
order by day desc
