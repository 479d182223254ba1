-- One more night for scripts/bench: as many customers as a hundredth of all renew or come back on its day, and what a tenth of
-- them paid last is refunded.
-- :seal, :day its business date, :share 100 for one customer in a hundred, 0 for nobody
set session_replication_role = replica;
begin;

insert into subledger.runs (
    run_id, job, business_date, logical_now, finished_at, sealed_at, seal, outcome, host, process_id)
overriding system value
values (
    :seal, 'nightly', :'day', (:'day'::date + 1 + time '02:00') at time zone 'UTC', now(), now(),
    (select last_seal + 1 from subledger.settings), 'done', 'bench', 1);
update subledger.settings set last_seal = last_seal + 1;

create temp table last_sale as
select *
from (
    select distinct on (subscription_key) sold.*
    from subledger.transactions sold
    where :share > 0
    order by subscription_key, period_start desc
) sold
where period_end < :'day'::date + 1
order by md5(subscription_key::text || :'day')
limit (select count(*) / greatest(:share, 1) from subledger.subscriptions);

create temp table next_sale as
select
    last_sale.*, subscription_key || '-n' || :seal as next_id,
    (:'day'::date + time '12:00') at time zone 'UTC' as next_start
from last_sale;

update subledger.transactions held set
    refunded_at = next.next_start, refund_kind = 'full', refund_micros = held.price_micros, changed_run_id = :seal
from next_sale next
where held.subscription_key = next.subscription_key and held.transaction_id = next.transaction_id
    and next.subscription_key % 10 = 0 and held.refunded_at is null and held.price_micros > 0;

insert into subledger.ledger_entries (
    subscription_key, transaction_id, product_id, seq, kind, occurred_at, recorded_at, run_id, amount_micros, currency,
    source)
select
    subscription_key, transaction_id, product_id, 2, 'refund', refunded_at, now(), :seal, -price_micros, currency,
    'store_price'
from subledger.transactions
where changed_run_id = :seal;

insert into subledger.transactions (
    subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment, original_transaction_id,
    period_key, subscription_group, kind, ownership, country, purchased_at, period_start, period_end, price_micros,
    currency, price_source, source_version, recorded_run_id, changed_run_id)
select
    subscription_key, next_id, product_id, lineage_key, app_id, store, environment, original_transaction_id, next_id,
    subscription_group, 'renewal', ownership, country, next_start, next_start, next_start + interval '1 month',
    case when product_id like 'yearly%' then 59990000 else 9990000 end, currency, price_source, next_start, :seal, :seal
from next_sale;

insert into subledger.ledger_entries (
    subscription_key, transaction_id, product_id, seq, kind, occurred_at, recorded_at, run_id, amount_micros, currency,
    source)
select
    subscription_key, transaction_id, product_id, 1, 'charge', purchased_at, now(), :seal, price_micros, currency,
    'store_price'
from subledger.transactions
where recorded_run_id = :seal;

\set run :seal
\set recorded now
\ir images.sql

insert into subledger.state_changes (
    subscription_key, change_id, occurred_at, recorded_at, run_id, state, auto_renew, product_id, expires_at)
select
    subscription_key, 1000 + :seal, next_start, next_start, :seal, 'active', true, product_id,
    next_start + interval '1 month'
from next_sale;

update subledger.subscriptions held set
    state = 'active', auto_renew = true, expires_at = next.next_start + interval '1 month', ended_at = null,
    end_reason = null
from next_sale next
where held.subscription_key = next.subscription_key;

commit;
