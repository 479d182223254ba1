-- The trials of the lineages at hand. Grain: see the table.
create temp table new_trial_outcomes on commit drop as
with in_line as (
    select
        period.*,
        max(period.covered_until) over earlier as covered_before
    from pg_temp.new_subscription_periods period
    window earlier as (
        partition by period.lineage_key order by period.place rows between unbounded preceding and 1 preceding
    )
),

free as (
    select
        in_line.*,
        count(*) filter (where covered_before is null or starts_at > covered_before + {rule continuous_gap}) over (
            partition by lineage_key order by place
        ) as trial_no
    from in_line
    where is_trial
),

trial as (
    select
        lineage_key, app_id, store, trial_no, min(starts_at) as starts_at, max(covered_until) as ends_at,
        (array_agg(product_id order by starts_at, transaction_id, product_id))[1] as product_id,
        (array_agg(country order by starts_at, transaction_id, product_id))[1] as country,
        (array_agg(subscription_key order by starts_at desc, transaction_id, product_id))[1] as subscription_key
    from free
    group by lineage_key, app_id, store, trial_no
),

first_payments as (
    select distinct on (lineage_key) lineage_key, starts_at, is_refunded
    from in_line
    where is_paid
    order by lineage_key, place
),

last_periods as (
    select lineage_key, max(starts_at) as starts_at from in_line group by lineage_key
),

last_states as (
    select distinct on (subscription_key) subscription_key, state
    from pg_temp.known_changes
    where state <> 'unreachable'
    order by subscription_key, is_carried desc, change_id desc
),

classified as (
    select
        trial.*,
        case
            when paid.is_refunded then 'refunded'
            when paid.lineage_key is not null then 'converted'
            when last_period.starts_at <= trial.ends_at
                and coalesce(last_state.state, 'unverified') not in ('expired', 'revoked', 'billing_retry', 'paused')
                then 'waiting'
            else 'unpaid'
        end as outcome
    from trial
    join last_periods last_period on last_period.lineage_key = trial.lineage_key
    left join first_payments paid
        on paid.lineage_key = trial.lineage_key
        and paid.starts_at >= trial.starts_at
        and paid.starts_at <= trial.ends_at + {rule continuous_gap}
    left join last_states last_state on last_state.subscription_key = trial.subscription_key
)

select
    lineage_key, trial_no, marts.day_of(starts_at, store, scope.time_zone) as day, app_id, store, product_id,
    coalesce(country, '') as country, outcome,
    case outcome when 'unpaid' then ends_at else '-infinity' end as ends_at
from classified
cross join pg_temp.report_scope scope;

analyze pg_temp.new_trial_outcomes;
