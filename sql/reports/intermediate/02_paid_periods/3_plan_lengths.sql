-- Plan lengths: what length each paid period was sold for, in months or else in days (subledger.length_sold).
-- Grain: one row per paid period of a lineage at hand (place). is_at_recurring_price: it counts with what whole periods of its
-- plan cost.
--
-- By the catalogue of the day of the purchase. A period that is of no plan's length was made longer by what a change of plan
-- left over: the catalogue's length is what its price is for.
--
-- The rest of a period that Google Play sells for what a change of plan left over is worth the plan's recurring price, as
-- listed, by the length the catalogue gives the plan. Where the catalogue does not know the plan, its own dates are those of the
-- rest: they go with what was charged.
create temp table sold_lengths on commit drop as
with catalogue as materialized (
    select length.* from pg_temp.report_scope scope cross join lateral marts.plan_lengths(scope.seal) length
),

catalogue_lengths as (
    select
        period.*,
        plan.app_id is not null as is_of_plan,
        case when plan.app_id is null then product.months else plan.months end as catalogue_months,
        case when plan.app_id is null then product.days else plan.days end as catalogue_days
    from pg_temp.paid_segments period
    left join catalogue plan
        on plan.app_id = period.app_id
        and plan.product_id = period.product_id
        and plan.base_plan_id = period.base_plan_id
        and (period.purchased_at at time zone 'UTC')::date >= plan.valid_from
        and (period.purchased_at at time zone 'UTC')::date < plan.valid_until
    left join catalogue product
        on product.app_id = period.app_id
        and product.product_id = period.product_id
        and product.base_plan_id = ''
        and (period.purchased_at at time zone 'UTC')::date >= product.valid_from
        and (period.purchased_at at time zone 'UTC')::date < product.valid_until
    offset 0
)

select period.lineage_key, period.place, length.months, length.days, recurring.is_at_recurring_price
from catalogue_lengths period
cross join lateral (
    select
        period.recurring_price_micros is not null and coalesce(period.catalogue_months, period.catalogue_days) is not null
            as is_at_recurring_price
) recurring
cross join lateral subledger.length_sold(
    period.store, period.kind, period.offer_type is not null, period.base_plan_id, period.recurring_price_micros is not null,
    coalesce(period.first_starts_at, period.starts_at), period.period_end, period.catalogue_months, period.catalogue_days,
    period.is_of_plan
) length;

analyze pg_temp.sold_lengths;
