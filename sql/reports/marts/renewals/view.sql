-- rests on: paid_periods, status_intervals, marts.half_even, marts.nearest, marts.unless_all_left_out
-- Renewals: which paid periods end on the days after the report, and what their renewal would bring.
-- Grain: one row per day (of the 90 after the last one), app, store, product, country, currency and source of the amount with any
-- period that ends.
-- from_date is not used. What the store has not said yet counts as it is: a cancelled subscription is due, and set to cancel;
-- who is in grace has been due already and is at risk, on the day the grace ends.
create view renewals (
    date, app_id, store, product_id, country, currency, due, set_to_cancel, at_risk, amount, amount_reporting,
    reporting_currency, unconverted, amount_source
) as
with statuses as (
    select
        status.lineage_key, bool_or(status.status = 'set_to_cancel') as is_set_to_cancel,
        bool_or(status.status = 'grace') as is_at_risk
    from status_intervals status
    join report_scope scope on status.from_day <= scope.through_date and status.until_day > scope.through_date
    where status.status in ('grace', 'billing_retry', 'set_to_cancel')
    group by status.lineage_key
),

due as (
    select
        period.*, coalesce(statuses.is_set_to_cancel, false) as is_set_to_cancel,
        coalesce(statuses.is_at_risk, false) as is_at_risk,
        case when period.is_last then period.paid_until_day else period.declared_end_day end as due_day
    from paid_periods period
    join report_scope scope on period.start_day <= scope.through_date and period.end_day > scope.through_date
    left join statuses on statuses.lineage_key = period.lineage_key
)

select
    due_day, app_id, store, product_id, country, renewal_currency, count(*), count(*) filter (where is_set_to_cancel),
    count(*) filter (where is_at_risk),
    case
        when renewal_currency is not null
            then coalesce(sum(renewal_micros) filter (where not is_set_to_cancel), 0) * 0.000001
    end,
    case
        when renewal_currency is not null then marts.half_even(
            marts.unless_all_left_out(
                coalesce(sum(renewal_reporting_micros) filter (where not is_set_to_cancel), 0),
                coalesce(sum(renewal_micros) filter (where not is_set_to_cancel), 0)
            ), 1
        )
    end,
    scope.reporting_currency,
    count(*) filter (where renewal_currency is not null and not is_set_to_cancel and renewal_reporting_micros is null),
    renewal_source
from due
join report_scope scope on due.due_day > scope.through_date and due.due_day <= scope.through_date + 90
group by
    due_day, app_id, store, product_id, country, renewal_currency, scope.reporting_currency, renewal_source;
