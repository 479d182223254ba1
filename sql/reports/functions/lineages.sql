-- Which subscriptions belong together.

-- Some subscriptions with all that share a lineage with them or ever did. A lineage bears the key of one of its subscriptions.
create or replace function marts.whole_lineages(subscriptions bigint[]) returns bigint[]
language sql stable
set enable_nestloop = on
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

comment on function marts.whole_lineages is 'Some subscriptions with all that share a lineage with them or ever did';
