-- The changes of MRR of the lineages at hand. Grain: see the table.
--
-- A product change moves the old value out of one product and into the other; the difference is expansion or
-- contraction on the new one. Values in two currencies, or of an unknown price, cannot be compared: the whole old value
-- moves out, the whole new one in. A free period between paid ones, and a purchase that another one replaced, move out
-- and in as well: nobody left. A lineage whose first known period was a renewal or a product change is imported.
create temp table new_mrr_changes on commit drop as
select
    period.lineage_key, change.day, period.app_id, period.store, change.product_id, change.currency, change.bucket,
    change.nanos, period.transaction_id
from new_paid_periods period
cross join lateral (
    select
        period.entry = 'change' and period.previous_currency = period.currency as is_comparable,
        period.entry = 'change' and period.previous_product_id <> period.product_id as is_other_product
) compared
cross join lateral (
    values
        (
            period.start_day, period.product_id, period.currency,
            case when period.entry = 'change' then 'moved_in' else period.entry end,
            case when compared.is_comparable is not true then period.mrr_nanos end
        ),
        (
            period.start_day, period.product_id, period.currency, 'moved_in',
            case when compared.is_comparable and compared.is_other_product then period.previous_mrr_nanos end
        ),
        (
            period.start_day, period.previous_product_id, period.previous_currency, 'moved_out',
            case when compared.is_other_product or compared.is_comparable is not true then -period.previous_mrr_nanos end
        ),
        (
            period.start_day, period.product_id, period.currency,
            case when period.mrr_nanos > period.previous_mrr_nanos then 'expansion' else 'contraction' end,
            case
                when compared.is_comparable and period.mrr_nanos <> period.previous_mrr_nanos
                    then period.mrr_nanos - period.previous_mrr_nanos
            end
        ),
        (
            period.end_day, period.product_id, period.currency,
            case
                when period.outcome in ('lapsed', 'paused') then period.outcome
                when period.outcome in ('free', 'replaced') then 'moved_out'
                else 'churn_' || period.outcome
            end,
            case when period.is_last and period.outcome <> 'open' then -period.mrr_nanos end
        )
) change (day, product_id, currency, bucket, nanos)
where change.nanos is not null and isfinite(change.day);

analyze new_mrr_changes;
