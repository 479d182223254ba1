-- The transactions that a run changed, as it saw them. :run, and :recorded when
insert into subledger.transaction_versions (
    subscription_key, transaction_id, product_id, version, run_id, recorded_at, lineage_key, app_id, store, environment,
    original_transaction_id, period_key, subscription_group, kind, is_trial_conversion, ownership, quantity, country,
    purchased_at, period_start, period_end, price_micros, currency, price_source, proceeds_source, refunded_at, refund_kind,
    refund_micros, is_upgraded, source_version)
select
    subscription_key, transaction_id, product_id, :run, :run, :'recorded'::timestamptz, lineage_key, app_id, store, environment,
    original_transaction_id, period_key, subscription_group, kind, is_trial_conversion, ownership, quantity, country,
    purchased_at, period_start, period_end, price_micros, currency, price_source, proceeds_source, refunded_at, refund_kind,
    refund_micros, is_upgraded, source_version
from subledger.transactions
where changed_run_id = :run;
