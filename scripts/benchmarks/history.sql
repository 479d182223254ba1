-- A history for scripts/bench: three years of customers, 6.45 transactions each on average, written by one night (seal 1).
-- Every figure follows from the customer's number: the same again each time. :customers
\set ON_ERROR_STOP on
set session_replication_role = replica;
begin;

insert into subledger.apps (app_id, store) values ('ios', 'app_store') on conflict do nothing;
insert into subledger.runs (
    run_id, job, business_date, logical_now, finished_at, sealed_at, seal, outcome, host, process_id)
overriding system value
values (1, 'nightly', '2026-01-01', '2026-01-02 02:00Z', now(), now(), 1, 'done', 'bench', 1);
select setval(pg_get_serial_sequence('subledger.runs', 'run_id'), 1);
update subledger.settings set last_seal = 1, reporting_currency = 'USD';

-- Four of five pay monthly, the others yearly; an eighth of them is in each of eight countries.
create temp table customer as
select
    number::bigint as key, timestamptz '2023-01-01 00:00Z' + (number::bigint * 7919 % 1095) * interval '1 day'
        + (number::bigint * 104729 % 86400) * interval '1 second' as starts_at,
    number % 5 = 0 as is_yearly,
    case when number % 5 = 0 then 1 + number % 3 else 1 + number * 31 % 17 end as periods,
    (array['US', 'GB', 'JP', 'DE', 'FR', 'IT', 'ES', 'NL'])[1 + number / 5 % 8] as country,
    (array['USD', 'GBP', 'JPY', 'EUR', 'EUR', 'EUR', 'EUR', 'EUR'])[1 + number / 5 % 8] as currency,
    case when number % 5 = 0 then 'yearly' else 'monthly' end || number % 4 as product_id,
    case when number % 5 = 0 then 59990000 else 9990000 end::bigint as price
from generate_series(1, :customers) number;

-- Every tenth customer begins with a free period, every hundredth charge is refunded.
create temp table sale as
select
    customer.*, place, key || '-' || place as transaction_id,
    starts_at + place * case when is_yearly then interval '1 year' else interval '1 month' end as period_start,
    starts_at + (place + 1) * case when is_yearly then interval '1 year' else interval '1 month' end as period_end,
    place = 0 and key % 10 = 3 as is_trial, key % 25 = 7 and place = 2 as is_refunded
from customer
cross join lateral generate_series(0, periods - 1) place
where starts_at + place * case when is_yearly then interval '1 year' else interval '1 month' end < '2026-01-02 00:00Z';

insert into subledger.transactions (
    subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment, original_transaction_id,
    period_key, subscription_group, kind, ownership, country, purchased_at, period_start, period_end, price_micros,
    currency, price_source, refunded_at, refund_kind, refund_micros, source_version, recorded_run_id, changed_run_id)
select
    key, transaction_id, product_id, key, 'ios', 'app_store', 'production', key || '-0', transaction_id, 'group',
    case when is_trial then 'trial' when place = 0 then 'purchase' else 'renewal' end, 'purchased', country, period_start,
    period_start, period_end, case when is_trial then 0 else price end, currency, 'store_price',
    case when is_refunded then period_start + interval '5 days' end, case when is_refunded then 'full' end,
    case when is_refunded then price end, period_start, 1, 1
from sale;

\set run 1
\set recorded '2026-01-02 02:00Z'
\ir images.sql

insert into subledger.ledger_entries (
    subscription_key, transaction_id, product_id, seq, kind, occurred_at, recorded_at, run_id, amount_micros, currency,
    source)
select key, transaction_id, product_id, 1, 'charge', period_start, timestamptz '2026-01-02 02:00Z', 1, price, currency, 'store_price'
from sale
where not is_trial
union all
select
    key, transaction_id, product_id, 2, 'refund', period_start + interval '5 days', timestamptz '2026-01-02 02:00Z', 1, -price,
    currency, 'store_price'
from sale
where is_refunded and not is_trial;

-- Active from each period on; who has no next one ended with the last.
insert into subledger.state_changes (
    subscription_key, change_id, occurred_at, recorded_at, run_id, state, auto_renew, product_id, expires_at, end_reason)
select
    key, place + 1, period_start, period_start, 1, case when is_trial then 'trial' else 'active' end, true, product_id,
    period_end, null
from sale
union all
select
    key, 1000, max(period_end), max(period_end), 1, 'expired', false, min(product_id), max(period_end),
    (array['voluntary', 'involuntary', 'voluntary', 'price'])[1 + key % 4]
from sale
group by key
having max(period_end) < '2026-01-02 00:00Z';

insert into subledger.subscriptions (
    subscription_key, lineage_key, app_id, store, store_key, environment, product_id, state, auto_renew, expires_at,
    ended_at, end_reason, registered_at, next_check_at, next_check_reason, last_checked_at)
select distinct on (subscription_key)
    subscription_key, subscription_key, 'ios', 'app_store', subscription_key || '-0', 'production', product_id, state,
    auto_renew, expires_at, case when state = 'expired' then expires_at end, end_reason, '2026-01-01Z', expires_at,
    'registered', '2026-01-02 02:00Z'
from subledger.state_changes
order by subscription_key, change_id desc;

commit;
vacuum analyze;
