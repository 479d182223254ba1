-- Which offers a customer may still be made: one that was used once in a group is not available again in it.
-- The App Store counts a free trial and an introductory price as one and the same offer; Play counts each by itself. What the family
-- shares uses nothing up, and neither does what an app's other environment sold.
-- A group that the store did not name is that of the subscription's other rows, else of the product list; one that is unknown counts
-- in every group: better no offer than one that the store refuses. No group given asks about all of them. Grain: one row.
create or replace function subledger.offer_eligibility(account_id text, app_id text, subscription_group text)
returns table (trial_available boolean, introductory_available boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    with used as (
        select
            offer.kind = 'trial' as is_trial,
            subledger.is_trial_an_introduction(offer.store) as is_one_offer,
            coalesce(
                offer.subscription_group,
                (
                    select max(sibling.subscription_group)
                    from subledger.transactions sibling
                    where sibling.subscription_key = offer.subscription_key
                ),
                (
                    select listed.subscription_group
                    from subledger.products listed
                    where listed.app_id = offer.app_id and listed.product_id = offer.product_id
                    order by listed.valid_from desc, listed.recorded_run_id desc
                    limit 1
                )) as known_group
        from subledger.subscriptions owned
        join subledger.apps app on app.app_id = owned.app_id
        join subledger.transactions offer on offer.subscription_key = owned.subscription_key
        where owned.account_id = offer_eligibility.account_id
            and owned.app_id = offer_eligibility.app_id
            and offer.environment = app.environment
            and offer.ownership = 'purchased'
            and (offer.offer_type = 'introductory' or (offer.kind = 'trial' and offer.offer_type is null))
    )

    select
        not coalesce(bool_or(used.is_trial or used.is_one_offer), false),
        not coalesce(bool_or(not used.is_trial or used.is_one_offer), false)
    from used
    where coalesce(used.known_group = offer_eligibility.subscription_group, true)
$$;

comment on function subledger.offer_eligibility is 'Whether an account may still be offered a trial or an introductory price in a subscription group';
