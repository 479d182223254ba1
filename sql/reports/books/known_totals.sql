-- What all transactions say as the seal knew them: today's rows, or where a later run has changed one, its newest image by then.
-- Grain: one row per app and currency; booked: transactions that are revenue.
create temp table known_totals on commit drop as
with later as materialized (
    select array(
        select run.run_id
        from subledger.runs run
        cross join report_scope scope
        where run.seal is null or run.seal > scope.seal
    ) as runs
),

-- Mostly there is none: the newest report is asked for, and nothing is read.
changed_since as materialized (
    select stored.subscription_key, stored.transaction_id, stored.product_id
    from subledger.transactions stored
    where (select cardinality(later.runs) from later) > 0
        and stored.changed_run_id = any ((select later.runs from later)::bigint[])
),

-- Both cores read it.
today as (
    select
        changed_run_id as run_id, app_id, currency, count(*) as transactions, count(*) filter (where price > 0) as booked,
        sum(price) as gross_micros, sum(refund) as refunded_micros
    from (
        select
            changed_run_id, app_id, currency,
            subledger.bookable_micros(environment, ownership, kind, price_micros) as price,
            subledger.bookable_micros(environment, ownership, kind, refund_micros) as refund
        from subledger.transactions
    ) bookable
    group by changed_run_id, app_id, currency
),

by_then as (
    select
        image.app_id, image.currency,
        subledger.bookable_micros(image.environment, image.ownership, image.kind, image.price_micros) as price,
        subledger.bookable_micros(image.environment, image.ownership, image.kind, image.refund_micros) as refund
    from report_scope scope
    cross join lateral subledger.transactions_as_of(
        scope.seal, array(select distinct changed_since.subscription_key from changed_since)
    ) image
    join changed_since
        on changed_since.subscription_key = image.subscription_key
        and changed_since.transaction_id = image.transaction_id
        and changed_since.product_id = image.product_id
),

sides as (
    select app_id, currency, transactions, booked, gross_micros, refunded_micros
    from today
    cross join later
    where today.run_id <> all (later.runs)
    union all
    select app_id, currency, 1, (price > 0)::integer, price, refund from by_then
)

select
    app_id, currency, sum(transactions)::bigint as transactions, sum(booked)::bigint as booked,
    sum(gross_micros) as gross_micros, sum(refunded_micros) as refunded_micros
from sides
group by app_id, currency
