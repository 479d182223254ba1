-- What all transactions say as the seal knew them: today's rows, but where a run has changed one since, the images of its
-- subscription. Grain: one row per app and currency; booked: transactions that are revenue.
create temp table known_totals on commit drop as
with changed_since as materialized (
    select distinct held.subscription_key
    from subledger.transactions held
    where held.changed_run_id = any (array(
        select run.run_id
        from subledger.runs run
        cross join report_scope scope
        where run.seal is null or run.seal > scope.seal
    ))
),

known as (
    select app_id, currency, environment, ownership, kind, price_micros, refund_micros
    from subledger.transactions held
    where held.subscription_key not in (select changed_since.subscription_key from changed_since)
    union all
    select image.app_id, image.currency, image.environment, image.ownership, image.kind, image.price_micros, image.refund_micros
    from report_scope scope
    cross join lateral subledger.transactions_as_of(
        scope.seal, array(select changed_since.subscription_key from changed_since)) image
)

select
    app_id, currency, count(*) as transactions, count(*) filter (where price > 0) as booked,
    coalesce(sum(price), 0) as gross_micros, coalesce(sum(refund), 0) as refunded_micros
from (
    select
        app_id, currency, subledger.bookable_micros(environment, ownership, kind, price_micros) as price,
        subledger.bookable_micros(environment, ownership, kind, refund_micros) as refund
    from known
) bookable
group by app_id, currency
