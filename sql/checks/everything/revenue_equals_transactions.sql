-- Proves that the revenue report adds up to the transactions: gross to their prices, refunded to their refunds.
-- Grain: one row per app, currency and figure that differs, in micros; at most 20, row_count says how many.
with reported as (
    select app_id, currency, sum(gross) * 1000000 as gross, sum(refunded) * 1000000 as refunded
    from revenue
    group by app_id, currency
),

sold as (
    select
        app_id, currency,
        sum(subledger.bookable_micros(environment, ownership, kind, price_micros)) as gross,
        sum(subledger.bookable_micros(environment, ownership, kind, refund_micros)) as refunded
    from report_scope scope
    cross join lateral subledger.transactions_as_of(scope.seal)
    where currency is not null
    group by app_id, currency
),

compared as (
    select
        concat_ws(' ', coalesce(sold.app_id, reported.app_id), coalesce(sold.currency, reported.currency), figure.name)
            as subject,
        figure.expected, figure.found
    from sold
    full join reported on reported.app_id = sold.app_id and reported.currency = sold.currency
    cross join lateral (
        values ('gross', coalesce(sold.gross, 0), coalesce(reported.gross, 0)),
            ('refunded', coalesce(sold.refunded, 0), coalesce(reported.refunded, 0))
    ) figure (name, expected, found)
)

select subject, expected::bigint::text as expected, found::bigint::text as found, count(*) over () as row_count
from compared
where expected <> found
order by subject
limit 20
