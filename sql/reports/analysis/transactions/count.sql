-- How many rows the view has, of which the workbook has the newest. Grain: one row
-- All rows are counted, which needs no more than an index, less those outside of the days and those that later runs changed, mostly
-- few; what the seal knew of the latter is asked for by key through the view. The view counted whole reads every row.
with bound as materialized (
    select
        scope.from_date::timestamp at time zone zone_of('app_store', scope.time_zone) as app_store_first,
        (scope.through_date + 1)::timestamp at time zone zone_of('app_store', scope.time_zone) as app_store_end,
        scope.from_date::timestamp at time zone zone_of('google_play', scope.time_zone) as google_play_first,
        (scope.through_date + 1)::timestamp at time zone zone_of('google_play', scope.time_zone) as google_play_end
    from report_scope scope
),

later as materialized (
    select array(
        select run.run_id
        from subledger.runs run
        cross join report_scope scope
        where run.seal is null or run.seal > scope.seal
    ) as runs
),

changed_since as materialized (
    select stored.subscription_key, stored.transaction_id, stored.product_id
    from subledger.transactions stored
    where (select cardinality(later.runs) from later) > 0
        and stored.changed_run_id = any ((select later.runs from later)::bigint[])
),

dated as (
    select
        transactions.purchased_at, transactions.refunded_at, transactions.changed_run_id,
        case transactions.store
            when 'app_store' then (select bound.app_store_first from bound)
            else (select bound.google_play_first from bound)
        end as first_at,
        case transactions.store
            when 'app_store' then (select bound.app_store_end from bound)
            else (select bound.google_play_end from bound)
        end as end_at
    from subledger.transactions transactions
),

-- Bought before the days and not paid back within them, or bought after them. The first condition of each is for the index.
outside as (
    select dated.changed_run_id
    from dated
    where dated.purchased_at < (select greatest(bound.app_store_first, bound.google_play_first) from bound)
        and dated.purchased_at < dated.first_at
        and (dated.refunded_at >= dated.first_at and dated.refunded_at < dated.end_at) is not true
    union all
    select dated.changed_run_id
    from dated
    where dated.purchased_at >= (select least(bound.app_store_end, bound.google_play_end) from bound)
        and dated.purchased_at >= dated.end_at
),

known_then as (
    select count(*) as rows
    from changed_since
    cross join lateral (
        select
        from transactions found
        where found.subscription_key = changed_since.subscription_key and found.transaction_id = changed_since.transaction_id
            and found.product_id = changed_since.product_id
        offset 0
    ) found
)

select
    (select count(*) from subledger.transactions) - (select count(*) from changed_since)
    - (
        select count(*)
        from outside
        where outside.changed_run_id <> all ((select later.runs from later)::bigint[])
    )
    + (select known_then.rows from known_then) as rows
