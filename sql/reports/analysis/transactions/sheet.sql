-- The rows of the workbook's Detail sheet: the newest of the view transactions, by the later of purchase and refund.
-- The view is asked for single keys, from their index: those of what was bought last, of what was paid back since the oldest of
-- these was bought, and of what later runs changed, which the seal knew otherwise. The view joined to the keys, or sorted, would be
-- read whole.
-- They are read in the order of the index, with all that share the last one's instant: where more columns gave the order, all of the
-- days were sorted (of a million transactions, 2.0 s of 2.3).
-- Grain: one row per (subscription_key, transaction_id, product_id). Instants as whole seconds since 1970. $1 how many rows at most
declare report_rows no scroll cursor for
with bound as materialized (
    select
        sold.store, (scope.through_date + 1)::timestamp at time zone zone_of(sold.store, scope.time_zone) as end_at
    from report_scope scope
    cross join (values ('app_store'), ('google_play')) sold (store)
),

-- Of both stores: what an index is asked for.
last as materialized (
    select max(bound.end_at) as end_at from bound
),

-- Mostly there is none: the newest report is asked for.
later as materialized (
    select array(
        select run.run_id
        from subledger.runs run
        cross join report_scope scope
        where run.seal is null or run.seal > scope.seal
    ) as runs
),

bought as materialized (
    select stored.subscription_key, stored.transaction_id, stored.product_id, stored.purchased_at
    from subledger.transactions stored
    where stored.purchased_at < (select last.end_at from last)
        and stored.purchased_at < (select bound.end_at from bound where bound.store = stored.store)
        and stored.changed_run_id <> all ((select later.runs from later)::bigint[])
    order by stored.purchased_at desc
    fetch first ($1::bigint) rows with ties
),

-- None that is older than the last of these rows.
paid_back as (
    select stored.subscription_key, stored.transaction_id, stored.product_id
    from subledger.transactions stored
    where stored.refunded_at >= (
            select case when count(*) < $1::bigint then '-infinity' else min(bought.purchased_at) end from bought
        )
        and stored.refunded_at < (select last.end_at from last)
        and greatest(stored.refunded_at, stored.purchased_at)
            < (select bound.end_at from bound where bound.store = stored.store)
        and stored.changed_run_id <> all ((select later.runs from later)::bigint[])
    order by stored.refunded_at desc
    fetch first ($1::bigint) rows with ties
),

changed_since as (
    select stored.subscription_key, stored.transaction_id, stored.product_id
    from subledger.transactions stored
    where (select cardinality(later.runs) from later) > 0
        and stored.changed_run_id = any ((select later.runs from later)::bigint[])
),

-- What was bought and paid back within the days is found twice.
candidate as materialized (
    select bought.subscription_key, bought.transaction_id, bought.product_id from bought
    union
    select paid_back.subscription_key, paid_back.transaction_id, paid_back.product_id from paid_back
    union
    select changed_since.subscription_key, changed_since.transaction_id, changed_since.product_id from changed_since
)

select
    row.app_id, row.store, row.product_id, row.subscription_key, row.transaction_id, row.original_transaction_id,
    row.lineage_key, row.kind, row.country, floor(extract(epoch from row.purchased_at))::bigint as purchased_at,
    floor(extract(epoch from row.period_start))::bigint as period_start,
    floor(extract(epoch from row.period_end))::bigint as period_end,
    row.currency, row.price, row.tax, row.proceeds, row.price_source, row.proceeds_source,
    floor(extract(epoch from row.refunded_at))::bigint as refunded_at,
    row.refund_kind, row.refund, row.refund_source, row.billing_plan, row.environment, row.ownership
from candidate
cross join lateral (
    select found.*
    from transactions found
    where found.subscription_key = candidate.subscription_key and found.transaction_id = candidate.transaction_id
        and found.product_id = candidate.product_id
    offset 0
) row
join bound on bound.store = row.store
order by
    greatest(row.purchased_at, case when row.refunded_at < bound.end_at then row.refunded_at end) desc,
    row.app_id collate "C", row.subscription_key, row.transaction_id collate "C", row.product_id collate "C"
limit $1::bigint
