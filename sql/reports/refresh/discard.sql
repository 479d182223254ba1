-- Ends what was made of the lineages at hand, so that another seal can follow in the same transaction.
drop view if exists
    compared_money_movements,
    compared_mrr_changes,
    compared_paid_periods,
    changed_subscription_periods,
    changed_paid_periods,
    changed_mrr_changes,
    changed_status_intervals,
    changed_money_movements,
    changed_trial_outcomes,
    changed_cohort_months,
    changed_lifetime_values,
    changed_monthly_outcomes,
    changed_recognition_steps,
    changed_exclusion_reasons;

drop table if exists
    new_subscription_periods,
    new_paid_periods,
    new_mrr_changes,
    new_status_intervals,
    new_money_movements,
    new_trial_outcomes,
    new_cohort_months,
    new_lifetime_values,
    new_monthly_outcomes,
    new_recognition_steps,
    new_exclusion_reasons,
    known_transactions, known_entries, known_changes, years_paid, purchase_rates;
