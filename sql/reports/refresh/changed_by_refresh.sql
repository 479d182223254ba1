-- What a refresh changes: the rows of the lineages at hand that come, and those that go (changed_*: sign 1 and -1). Of a night's
-- lineages nine of ten rows stay as they are: they move nothing.
create temp table coming_subscription_periods on commit drop as
table pg_temp.new_subscription_periods
except all
select held.* from subscription_periods held join pg_temp.touched on touched.key = held.lineage_key;

create temp table going_subscription_periods on commit drop as
select held.* from subscription_periods held join pg_temp.touched on touched.key = held.lineage_key
except all
table pg_temp.new_subscription_periods;

create temp view changed_subscription_periods as
select 1 as sign, came.* from pg_temp.coming_subscription_periods came
union all
select -1, went.* from pg_temp.going_subscription_periods went;

create temp table coming_paid_periods on commit drop as
table pg_temp.new_paid_periods
except all
select held.* from paid_periods held join pg_temp.touched on touched.key = held.lineage_key;

create temp table going_paid_periods on commit drop as
select held.* from paid_periods held join pg_temp.touched on touched.key = held.lineage_key
except all
table pg_temp.new_paid_periods;

create temp view changed_paid_periods as
select 1 as sign, came.* from pg_temp.coming_paid_periods came
union all
select -1, went.* from pg_temp.going_paid_periods went;

create temp table coming_mrr_changes on commit drop as
table pg_temp.new_mrr_changes
except all
select held.* from mrr_changes held join pg_temp.touched on touched.key = held.lineage_key;

create temp table going_mrr_changes on commit drop as
select held.* from mrr_changes held join pg_temp.touched on touched.key = held.lineage_key
except all
table pg_temp.new_mrr_changes;

create temp view changed_mrr_changes as
select 1 as sign, came.* from pg_temp.coming_mrr_changes came
union all
select -1, went.* from pg_temp.going_mrr_changes went;

create temp table coming_status_intervals on commit drop as
table pg_temp.new_status_intervals
except all
select held.* from status_intervals held join pg_temp.touched on touched.key = held.lineage_key;

create temp table going_status_intervals on commit drop as
select held.* from status_intervals held join pg_temp.touched on touched.key = held.lineage_key
except all
table pg_temp.new_status_intervals;

create temp view changed_status_intervals as
select 1 as sign, came.* from pg_temp.coming_status_intervals came
union all
select -1, went.* from pg_temp.going_status_intervals went;

create temp table coming_money_movements on commit drop as
table pg_temp.new_money_movements
except all
select held.* from money_movements held join pg_temp.touched on touched.key = held.lineage_key;

create temp table going_money_movements on commit drop as
select held.* from money_movements held join pg_temp.touched on touched.key = held.lineage_key
except all
table pg_temp.new_money_movements;

create temp view changed_money_movements as
select 1 as sign, came.* from pg_temp.coming_money_movements came
union all
select -1, went.* from pg_temp.going_money_movements went;

create temp table coming_trial_outcomes on commit drop as
table pg_temp.new_trial_outcomes
except all
select held.* from trial_outcomes held join pg_temp.touched on touched.key = held.lineage_key;

create temp table going_trial_outcomes on commit drop as
select held.* from trial_outcomes held join pg_temp.touched on touched.key = held.lineage_key
except all
table pg_temp.new_trial_outcomes;

create temp view changed_trial_outcomes as
select 1 as sign, came.* from pg_temp.coming_trial_outcomes came
union all
select -1, went.* from pg_temp.going_trial_outcomes went;

create temp table coming_cohort_months on commit drop as
table pg_temp.new_cohort_months
except all
select held.* from cohort_months held join pg_temp.touched on touched.key = held.lineage_key;

create temp table going_cohort_months on commit drop as
select held.* from cohort_months held join pg_temp.touched on touched.key = held.lineage_key
except all
table pg_temp.new_cohort_months;

create temp view changed_cohort_months as
select 1 as sign, came.* from pg_temp.coming_cohort_months came
union all
select -1, went.* from pg_temp.going_cohort_months went;

create temp table coming_lifetime_values on commit drop as
table pg_temp.new_lifetime_values
except all
select held.* from lifetime_values held join pg_temp.touched on touched.key = held.lineage_key;

create temp table going_lifetime_values on commit drop as
select held.* from lifetime_values held join pg_temp.touched on touched.key = held.lineage_key
except all
table pg_temp.new_lifetime_values;

create temp view changed_lifetime_values as
select 1 as sign, came.* from pg_temp.coming_lifetime_values came
union all
select -1, went.* from pg_temp.going_lifetime_values went;

create temp table coming_monthly_outcomes on commit drop as
table pg_temp.new_monthly_outcomes
except all
select held.* from monthly_outcomes held join pg_temp.touched on touched.key = held.lineage_key;

create temp table going_monthly_outcomes on commit drop as
select held.* from monthly_outcomes held join pg_temp.touched on touched.key = held.lineage_key
except all
table pg_temp.new_monthly_outcomes;

create temp view changed_monthly_outcomes as
select 1 as sign, came.* from pg_temp.coming_monthly_outcomes came
union all
select -1, went.* from pg_temp.going_monthly_outcomes went;

create temp table coming_recognition_steps on commit drop as
table pg_temp.new_recognition_steps
except all
select held.* from recognition_steps held join pg_temp.touched on touched.key = held.lineage_key;

create temp table going_recognition_steps on commit drop as
select held.* from recognition_steps held join pg_temp.touched on touched.key = held.lineage_key
except all
table pg_temp.new_recognition_steps;

create temp view changed_recognition_steps as
select 1 as sign, came.* from pg_temp.coming_recognition_steps came
union all
select -1, went.* from pg_temp.going_recognition_steps went;

create temp table coming_exclusion_reasons on commit drop as
table pg_temp.new_exclusion_reasons
except all
select held.* from exclusion_reasons held join pg_temp.touched on touched.key = held.lineage_key;

create temp table going_exclusion_reasons on commit drop as
select held.* from exclusion_reasons held join pg_temp.touched on touched.key = held.lineage_key
except all
table pg_temp.new_exclusion_reasons;

create temp view changed_exclusion_reasons as
select 1 as sign, came.* from pg_temp.coming_exclusion_reasons came
union all
select -1, went.* from pg_temp.going_exclusion_reasons went;
