-- The lineages that some runs wrote of: every subscription that shares one with them or ever did. A product whose catalogue
-- row changed counts as written of, whoever bought it, and so does an app that was retired or taken up again.
-- $1 runs: named, so that the planner knows that they wrote little of the history (of a subquery it assumes what the average run wrote,
-- and reads all: 0.5 s of 1.3 million transactions)
with changed_products as materialized (
    select known.app_id, known.product_id
    from subledger.products known
    where known.recorded_run_id = any ($1::bigint[])
),

changed_retirements as materialized (
    select recorded.app_id
    from subledger.app_retirements recorded
    where recorded.recorded_run_id = any ($1::bigint[])
),

written as (
    select image.subscription_key as key
    from subledger.transaction_versions image
    where image.run_id = any ($1::bigint[])
    union
    select entry.subscription_key
    from subledger.ledger_entries entry
    where entry.run_id = any ($1::bigint[])
    union
    select change.subscription_key
    from subledger.state_changes change
    where change.run_id = any ($1::bigint[])
    union
    select image.subscription_key
    from subledger.transaction_versions image
    where exists (select from changed_products)
        and (image.app_id, image.product_id) in (
            select changed_products.app_id, changed_products.product_id from changed_products
        )
    union
    select image.subscription_key
    from subledger.transaction_versions image
    where exists (select from changed_retirements)
        and image.app_id in (select changed_retirements.app_id from changed_retirements)
)

insert into pg_temp.marked_lineages (key)
select unnest(marts.whole_lineages(array(select written.key from written)))
