-- A subscription's transactions, with how often each changed and its other ids. A receipt names no country: where none was
-- registered, it is the app's default that is assumed.
-- Grain: one row per transaction. $1 key
select
    t.transaction_id, t.product_id, t.kind, t.is_trial_conversion, t.offer_type, t.ownership, t.environment, t.country,
    t.purchased_at, t.period_start, t.period_end, t.extended_until, t.price_micros, t.currency, t.price_source, t.refunded_at,
    t.refund_kind, t.refund_reason, t.refund_micros, t.refund_source, t.base_plan_id, t.store_discount_micros, t.seats,
    t.bundle_transaction_id,
    t.is_upgraded, t.recorded_run_id, t.changed_run_id,
    t.country is not null and s.receipt_id is not null and s.country is null as is_country_assumed,
    (
        select count(*) from subledger.transaction_versions v
        where v.subscription_key = t.subscription_key
            and v.transaction_id = t.transaction_id
            and v.product_id = t.product_id
    ) as versions,
    array(
        select a.alias_transaction_id from subledger.transaction_aliases a
        where a.subscription_key = t.subscription_key and a.transaction_id = t.transaction_id
        order by a.alias_transaction_id
    ) as aliases
from subledger.transactions t
left join subledger.subscriptions s on s.subscription_key = t.subscription_key
where t.subscription_key = $1::bigint
order by t.period_start, t.transaction_id, t.product_id
