-- What a build adds: the rows of the lineages at hand, none of which were there before (sign 1).
create temp view changed_subscription_periods as select 1 as sign, came.* from new_subscription_periods came;
create temp view changed_paid_periods as select 1 as sign, came.* from new_paid_periods came;
create temp view changed_mrr_changes as select 1 as sign, came.* from new_mrr_changes came;
create temp view changed_status_intervals as select 1 as sign, came.* from new_status_intervals came;
create temp view changed_money_movements as select 1 as sign, came.* from new_money_movements came;
create temp view changed_trial_outcomes as select 1 as sign, came.* from new_trial_outcomes came;
create temp view changed_cohort_months as select 1 as sign, came.* from new_cohort_months came;
create temp view changed_lifetime_values as select 1 as sign, came.* from new_lifetime_values came;
create temp view changed_monthly_outcomes as select 1 as sign, came.* from new_monthly_outcomes came;
create temp view changed_recognition_steps as select 1 as sign, came.* from new_recognition_steps came;
create temp view changed_exclusion_reasons as select 1 as sign, came.* from new_exclusion_reasons came;
