-- Where the money of the last thirty days comes from, in the reporting currency: what of it is estimated, listed, missing.
-- estimated, listed, missing: millionths of what moved whose proceeds are estimated, whose price is the owner's list's, whose
-- proceeds are unknown; NULL where nothing moved. proceeds: micros, NULL where nothing has a rate. unconverted: movements
-- without a rate, left out of all of these.
-- Grain: one row.
with sold as (
    select revenue.*, gross_reporting + refunded_reporting as moved
    from revenue
    join report_scope scope on revenue.date between scope.through_date - 29 and scope.through_date
    where isfinite(scope.through_date)
)

select
    (sum(proceeds_reporting) * 1000000)::bigint as proceeds,
    coalesce(sum(unconverted), 0)::bigint as unconverted,
    (marts.ratio(sum(estimated_share * moved), sum(moved)) * 1000000)::bigint as estimated,
    (marts.ratio(sum(listed_share * moved), sum(moved)) * 1000000)::bigint as listed,
    (marts.ratio(sum(missing_share * moved), sum(moved)) * 1000000)::bigint as missing
from sold
