-- The changes of MRR of the lineages at hand. Grain: see the table.
--
-- A product change moves the old value out of one product and into the other; the difference is expansion or
-- contraction on the new one. Values in two currencies, or of an unknown price, cannot be compared: the whole old value
-- moves out, the whole new one in. A free period between paid ones, and a purchase that another one replaced, move out
-- and in as well: no customer left. A lineage whose first known period was a renewal or a product change is imported.
--
-- In the reporting currency each period has the rate of its own purchase: what the same amount is worth more or less in the new
-- period is fx. A period without a rate cannot be compared there, and is counted as unconverted.
create temp table new_mrr_changes on commit drop as
with periods as (
    select
        period.*,
        period.entry = 'change' as is_change,
        period.entry = 'change' and period.previous_product_id <> period.product_id as is_other_product,
        coalesce(period.entry = 'change' and period.previous_currency = period.currency, false) as is_comparable,
        coalesce(period.entry = 'change' and period.previous_currency = period.currency, false)
            and period.previous_mrr_reporting_nanos is not null
            and period.mrr_reporting_nanos is not null as is_rate_comparable,
        (period.mrr_nanos is not null and period.mrr_reporting_nanos is null)::integer as unconverted,
        (period.previous_mrr_nanos is not null and period.previous_mrr_reporting_nanos is null)::integer
            as previous_unconverted,
        period.mrr_nanos - period.previous_mrr_nanos as difference
    from pg_temp.new_paid_periods period
),

compared as (
    select
        periods.*,
        case
            when is_rate_comparable then marts.difference_at_rate(
                previous_mrr_nanos, previous_mrr_reporting_nanos, mrr_nanos, mrr_reporting_nanos
            )
        end as reporting_difference
    from periods
)

select
    period.lineage_key, change.day, period.app_id, period.store, change.product_id, change.currency, change.bucket,
    sum(coalesce(change.nanos, 0))::bigint as nanos, sum(coalesce(change.reporting_nanos, 0))::bigint as reporting_nanos,
    sum(change.unconverted)::integer as unconverted, period.transaction_id
from compared period
cross join lateral (
    values
        (
            period.start_day, period.product_id, period.currency,
            case when period.is_change then 'moved_in' else period.entry end,
            case when not period.is_comparable then period.mrr_nanos end,
            case when not period.is_rate_comparable then period.mrr_reporting_nanos end,
            period.unconverted
        ),
        (
            period.start_day, period.product_id, period.currency, 'moved_in',
            case when period.is_comparable and period.is_other_product then period.previous_mrr_nanos end,
            case when period.is_rate_comparable and period.is_other_product then period.previous_mrr_reporting_nanos end,
            0
        ),
        (
            period.start_day, period.previous_product_id, period.previous_currency, 'moved_out',
            case when period.is_other_product or not period.is_comparable then -period.previous_mrr_nanos end,
            case when period.is_other_product or not period.is_rate_comparable then -period.previous_mrr_reporting_nanos end,
            -period.previous_unconverted
        ),
        (
            period.start_day, period.product_id, period.currency,
            case when period.difference > 0 then 'expansion' else 'contraction' end,
            case when period.is_comparable then period.difference end,
            period.reporting_difference,
            0
        ),
        (
            period.start_day, period.product_id, period.currency, 'fx',
            null,
            period.mrr_reporting_nanos - period.previous_mrr_reporting_nanos - period.reporting_difference,
            0
        ),
        (
            period.end_day, period.product_id, period.currency,
            case
                when period.outcome in ('lapsed', 'paused') then period.outcome
                when period.outcome in ('free', 'replaced', 'retired') then 'moved_out'
                else 'churn_' || period.outcome
            end,
            case when period.is_last and period.outcome <> 'open' then -period.mrr_nanos end,
            case when period.is_last and period.outcome <> 'open' then -period.mrr_reporting_nanos end,
            case when period.is_last and period.outcome <> 'open' then -period.unconverted else 0 end
        )
) change (day, product_id, currency, bucket, nanos, reporting_nanos, unconverted)
where isfinite(change.day)
    and (coalesce(change.nanos, 0), coalesce(change.reporting_nanos, 0), change.unconverted) <> (0, 0, 0)
group by
    period.lineage_key, change.day, period.app_id, period.store, change.product_id, change.currency, change.bucket,
    period.transaction_id;

analyze pg_temp.new_mrr_changes;
