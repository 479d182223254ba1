-- How long the last sealed night took, from its beginning to its seal, and how long ago that was, by the database's clock.
-- Grain: one row, none where no night was sealed
select
    night.business_date::text as business_date,
    extract(epoch from night.sealed_at - night.started_at)::bigint as seconds,
    extract(epoch from clock_timestamp() - night.sealed_at)::bigint as seconds_ago
from subledger.runs night
where night.job = 'nightly' and night.seal is not null
order by night.seal desc
limit 1
