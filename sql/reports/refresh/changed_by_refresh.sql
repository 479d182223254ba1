-- What a refresh changes: the rows of the lineages at hand as they come (sign 1) and as they go (sign -1).
create temp view changed_subscription_periods as
select 1 as sign, came.* from new_subscription_periods came
union all
select -1, went.* from subscription_periods went join touched on touched.key = went.lineage_key;

create temp view changed_paid_periods as
select 1 as sign, came.* from new_paid_periods came
union all
select -1, went.* from paid_periods went join touched on touched.key = went.lineage_key;

create temp view changed_mrr_changes as
select 1 as sign, came.* from new_mrr_changes came
union all
select -1, went.* from mrr_changes went join touched on touched.key = went.lineage_key;

create temp view changed_status_intervals as
select 1 as sign, came.* from new_status_intervals came
union all
select -1, went.* from status_intervals went join touched on touched.key = went.lineage_key;

create temp view changed_money_movements as
select 1 as sign, came.* from new_money_movements came
union all
select -1, went.* from money_movements went join touched on touched.key = went.lineage_key;

create temp view changed_trial_outcomes as
select 1 as sign, came.* from new_trial_outcomes came
union all
select -1, went.* from trial_outcomes went join touched on touched.key = went.lineage_key;

create temp view changed_cohort_months as
select 1 as sign, came.* from new_cohort_months came
union all
select -1, went.* from cohort_months went join touched on touched.key = went.lineage_key;

create temp view changed_lifetime_values as
select 1 as sign, came.* from new_lifetime_values came
union all
select -1, went.* from lifetime_values went join touched on touched.key = went.lineage_key;

create temp view changed_monthly_outcomes as
select 1 as sign, came.* from new_monthly_outcomes came
union all
select -1, went.* from monthly_outcomes went join touched on touched.key = went.lineage_key;

create temp view changed_recognition_steps as
select 1 as sign, came.* from new_recognition_steps came
union all
select -1, went.* from recognition_steps went join touched on touched.key = went.lineage_key;

create temp view changed_exclusion_reasons as
select 1 as sign, came.* from new_exclusion_reasons came
union all
select -1, went.* from exclusion_reasons went join touched on touched.key = went.lineage_key;
