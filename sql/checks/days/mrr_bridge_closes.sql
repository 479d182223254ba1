-- Proves that every row of the MRR bridge closes: opening and all movements make the closing, to within the rounding of
-- the printed figures, half a millionth each; in its own currency and in the reporting one.
-- Grain: one row per day, app, product and currency that differs; at most 20, row_count says how many.
with bridge as (
    select
        concat_ws(' ', date::text, app_id, store, product_id, currency) as subject,
        opening + imported + moved_in + new + expansion + reactivation + recovery + contraction + churn_voluntary
            + churn_involuntary + churn_price + churn_product + churn_refund + churn_other + lapsed + paused + moved_out
            + fx as expected,
        closing as found
    from mrr_bridge
    union all
    select
        concat_ws(' ', date::text, app_id, store, product_id, currency, 'in', reporting_currency),
        opening_reporting + imported_reporting + moved_in_reporting + new_reporting + expansion_reporting
            + reactivation_reporting + recovery_reporting + contraction_reporting + churn_voluntary_reporting
            + churn_involuntary_reporting + churn_price_reporting + churn_product_reporting + churn_refund_reporting
            + churn_other_reporting + lapsed_reporting + paused_reporting + moved_out_reporting + fx_reporting,
        closing_reporting
    from mrr_bridge
)

select subject, expected::text as expected, found::text as found, count(*) over () as row_count
from bridge
where abs(expected - found) > 0.000010
order by subject
limit 20
