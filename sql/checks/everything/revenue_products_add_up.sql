-- days of: money
-- Proves that the products of the revenue report add up, day by day, to the money that moved: the ledger's entries of that
-- day, whatever product they are of. Every movement is converted into the reporting currency or counted as unconverted.
-- Grain: one row per day, app, currency and figure that differs, in micros; at most 20, row_count says how many.
-- $1 days; NULL: all
with reported as (
    select
        date as day, app_id, currency, sum(net) * 1000000 as net,
        case when max(reporting_currency) = currency then sum(coalesce(net_reporting, 0)) * 1000000 end as converted,
        sum(unconverted) as unconverted
    from revenue
    where $1::date[] is null or date = any ($1::date[])
    group by date, app_id, currency
),

booked as (
    select day, app_id, currency, sum(micros) as net
    from pg_temp.booked_money
    group by day, app_id, currency
),

compared as (
    select
        concat_ws(
            ' ', coalesce(booked.day, reported.day), coalesce(booked.app_id, reported.app_id),
            coalesce(booked.currency, reported.currency), figure.name) as subject,
        figure.expected, figure.found
    from booked
    full join reported
        on reported.day = booked.day and reported.app_id = booked.app_id and reported.currency = booked.currency
    cross join lateral (
        values
            ('net', coalesce(booked.net, 0), coalesce(reported.net, 0)),
            -- Their own currency needs no rate: nothing is left out, and the figure is the same.
            ('converted', coalesce(booked.net, 0), reported.converted),
            ('unconverted', 0, case when reported.converted is not null then reported.unconverted end)
    ) figure (name, expected, found)
)

select subject, expected::bigint::text as expected, found::bigint::text as found, count(*) over () as row_count
from compared
where found <> expected
order by subject
limit 20
