-- Which subscriptions belong together, and which were written of.

-- Some subscriptions with all that share a lineage with them or ever did. A lineage bears the key of one of its subscriptions.
create or replace function report.whole_lineages(subscriptions bigint[]) returns bigint[]
language sql stable
set enable_nestloop = on
set jit = off
as $$
    with recursive reached as (
        select part.key from unnest(whole_lineages.subscriptions) part (key)
        union
        select next.key
        from reached
        cross join lateral (
            select image.lineage_key as key
            from subledger.transaction_versions image
            where image.subscription_key = reached.key
            union all
            select image.subscription_key
            from subledger.transaction_versions image
            where image.lineage_key = reached.key and image.lineage_key <> image.subscription_key
            union all
            -- A purchase without an order of its own yet has no image.
            select link.linked_subscription_key
            from subledger.lineage_links link
            where link.subscription_key = reached.key
            union all
            select link.subscription_key
            from subledger.lineage_links link
            where link.linked_subscription_key = reached.key
        ) next
    )

    select coalesce(array_agg(reached.key), '{}') from reached
$$;

-- The subscriptions that runs sealed after one seal, up to another, wrote of, with all that share a lineage with them or
-- ever did. A product whose catalogue row changed counts as written of, whoever bought it.
create or replace function report.reached_subscriptions(after_seal bigint, through_seal bigint) returns bigint[]
language sql stable
set enable_nestloop = on
set jit = off
as $$
    with news as materialized (
        select run.run_id
        from subledger.runs run
        where run.seal > reached_subscriptions.after_seal and run.seal <= reached_subscriptions.through_seal
    ),

    written as (
        select image.subscription_key
        from subledger.transaction_versions image
        where image.run_id = any (array(select news.run_id from news))
        union
        select entry.subscription_key
        from subledger.ledger_entries entry
        where entry.run_id = any (array(select news.run_id from news))
        union
        select change.subscription_key
        from subledger.state_changes change
        where change.run_id = any (array(select news.run_id from news))
        union
        select image.subscription_key
        from subledger.transaction_versions image
        where exists (
                select from subledger.products known
                where known.recorded_run_id = any (array(select news.run_id from news))
            )
            and (image.app_id, image.product_id) in (
                select known.app_id, known.product_id
                from subledger.products known
                where known.recorded_run_id = any (array(select news.run_id from news))
            )
    )

    select report.whole_lineages(array(select written.subscription_key from written))
$$;

comment on function report.whole_lineages is 'Some subscriptions with all that share a lineage with them or ever did';
comment on function report.reached_subscriptions is 'Subscriptions that runs sealed between two seals wrote of, with their whole lineages';
