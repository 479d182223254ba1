-- rests on: paid_periods, subscription_periods, marts.difference_at_rate, marts.nearest
-- Every change of a lineage's MRR by its instant: what it was before, what it is afterwards, and which movement that is.
-- Grain: one row per lineage and instant. Not rounded: thousandths of a micro, so that sums are those of the MRR bridge.
--
-- The log adds up to the bridge: of a currency, what came after less what was before, of all rows up to a day, is the closing of that
-- day; in the reporting currency, too. Movements bear the bridge's names; where several meet in one instant it has its own:
--   moved       the old value moved out and the new one in: another currency, or a purchase that takes the place of one that ended
--   crossgrade  another product of the same MRR
--   fx          the same MRR, worth another amount in the reporting currency: the new period has the rate of its own purchase
-- A period of no length at all is passed over: what it would change is changed again in the same instant.
create view mrr_change_log (
    lineage_key, changed_at, date, app_id, store, movement, product_before, product_after, country, currency_before, mrr_before,
    currency_after, mrr_after, change, of_which_price, of_which_offers, mrr_before_reporting, mrr_after_reporting,
    change_reporting, fx_reporting, of_which_price_reporting, of_which_offers_reporting, reporting_currency,
    subscription_key, transaction_id
) as
with line as (
    select
        period.*, sold.offer_type is not null as is_offer, sold.recurring_price_micros is not null as is_proration,
        lag(period.segment_no) over line as before_segment_no,
        lag(period.ends_at) over line as before_ends_at,
        lag(period.product_id) over line as before_product_id,
        lag(period.base_plan_id) over line as before_base_plan_id,
        lag(period.country) over line as before_country,
        lag(period.seats) over line as before_seats,
        lag(period.currency) over line as before_currency,
        lag(period.mrr_nanos) over line as before_nanos,
        lag(period.mrr_reporting_nanos) over line as before_reporting_nanos,
        lag(sold.offer_type is not null) over line as before_is_offer,
        lag(sold.recurring_price_micros is not null) over line as before_is_proration,
        lead(period.starts_at) over line as next_starts_at
    from (
        select
            period.*, first_value(period.entry) over (
                partition by period.lineage_key, period.segment_no order by period.place
            ) as segment_entry
        from paid_periods period
    ) period
    join subscription_periods sold on sold.lineage_key = period.lineage_key and sold.place = period.place
    where period.starts_at < period.ends_at
    window line as (partition by period.lineage_key order by period.place)
),

started as (
    select
        line.*, place.is_change, place.is_met, (place.is_change or place.is_met) as has_before,
        place.is_change
            and line.before_currency = line.currency
            and line.before_product_id = line.product_id
            and line.before_base_plan_id is not distinct from line.base_plan_id
            and line.before_country is not distinct from line.country
            and line.before_seats is not distinct from line.seats
            and not line.is_proration and not line.before_is_proration as is_same_plan
    from line
    cross join lateral (
        select
            coalesce(line.before_segment_no = line.segment_no, false) as is_change,
            coalesce(line.before_segment_no <> line.segment_no and line.before_ends_at = line.starts_at, false) as is_met
    ) place
),

change as (
    select
        started.lineage_key, started.starts_at as changed_at, started.start_day as day, started.app_id, started.store,
        case
            when not has_before then segment_entry
            when mrr_nanos is null and before_nanos is null
                then case when before_product_id <> product_id then 'crossgrade' end
            when before_nanos is null then 'moved_in'
            when mrr_nanos is null then 'moved_out'
            when is_met or before_currency <> started.currency then 'moved'
            when mrr_nanos > before_nanos then 'expansion'
            when mrr_nanos < before_nanos then 'contraction'
            when before_product_id <> product_id then 'crossgrade'
            when mrr_reporting_nanos is distinct from before_reporting_nanos then 'fx'
        end as movement,
        case when has_before then before_product_id end as product_before, product_id as product_after, country,
        case when has_before then before_currency end as currency_before,
        case when has_before then before_nanos else 0 end as nanos_before,
        started.currency as currency_after, mrr_nanos as nanos_after,
        case when has_before then before_reporting_nanos else 0 end as reporting_before,
        mrr_reporting_nanos as reporting_after,
        is_same_plan and not is_offer and not before_is_offer as is_of_price,
        is_same_plan and is_offer <> before_is_offer as is_of_offers,
        subscription_key, transaction_id
    from started
    union all
    select
        line.lineage_key, line.ends_at, line.end_day, line.app_id, line.store,
        case
            when line.outcome in ('lapsed', 'paused') then line.outcome
            when line.outcome in ('free', 'replaced', 'retired') then 'moved_out'
            else 'churn_' || line.outcome
        end,
        line.product_id, null, line.country, line.currency, line.mrr_nanos, null, 0, line.mrr_reporting_nanos, 0, false, false,
        line.subscription_key, line.transaction_id
    from line
    where line.is_last
        and line.outcome <> 'open'
        and isfinite(line.end_day)
        and line.next_starts_at is distinct from line.ends_at
)

select
    change.lineage_key, change.changed_at, change.day, change.app_id, change.store, change.movement, change.product_before,
    change.product_after, change.country, change.currency_before, change.nanos_before * 0.000000001, change.currency_after,
    change.nanos_after * 0.000000001, compared.nanos * 0.000000001,
    case when change.is_of_price then compared.nanos else 0 end * 0.000000001,
    case when change.is_of_offers then compared.nanos else 0 end * 0.000000001,
    change.reporting_before * 0.000000001, change.reporting_after * 0.000000001,
    (change.reporting_after - change.reporting_before) * 0.000000001,
    (change.reporting_after - change.reporting_before - rated.nanos) * 0.000000001,
    case when change.is_of_price then rated.nanos else 0 end * 0.000000001,
    case when change.is_of_offers then rated.nanos else 0 end * 0.000000001,
    scope.reporting_currency, change.subscription_key, change.transaction_id
from change
join report_scope scope on change.day >= scope.from_date and change.day <= scope.through_date
cross join lateral (
    select
        case
            when coalesce(change.currency_before, change.currency_after) = coalesce(change.currency_after, change.currency_before)
                then change.nanos_after - change.nanos_before
        end as nanos
) compared
cross join lateral (
    select
        case
            when change.currency_before = change.currency_after then marts.difference_at_rate(
                change.nanos_before, change.reporting_before, change.nanos_after, change.reporting_after
            )
            else change.reporting_after - change.reporting_before
        end as nanos
) rated
where change.movement is not null;
