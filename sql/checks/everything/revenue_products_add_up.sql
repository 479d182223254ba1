-- Proves that the products of the revenue report add up, day by day, to the money that moved: the ledger's entries of that
-- day, whatever product they are of. Every movement is converted into the reporting currency or counted as unconverted.
-- Grain: one row per day, app, currency and figure that differs; at most 20, row_count says how many.
with reported as (
    select
        date as day, app_id, currency, sum(net) * 1000000 as net,
        case when max(reporting_currency) = currency then sum(coalesce(net_reporting, 0)) * 1000000 end as converted,
        sum(unconverted) as unconverted
    from revenue
    group by date, app_id, currency
),

booked as (
    select
        report.day_of(entry.occurred_at, sold.store, scope.time_zone) as day, sold.app_id, entry.currency,
        sum(entry.amount_micros) as net
    from report_scope scope
    cross join lateral subledger.ledger_as_of(scope.seal) entry
    join lateral subledger.transactions_as_of(scope.seal) sold
        on sold.subscription_key = entry.subscription_key
        and sold.transaction_id = entry.transaction_id
        and sold.product_id = entry.product_id
    group by 1, sold.app_id, entry.currency
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
