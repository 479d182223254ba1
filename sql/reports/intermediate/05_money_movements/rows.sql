-- The money movements of the lineages at hand. Grain: see the table.
create temp table new_money_movements on commit drop as
with entries as (
    select
        entry.*, sold.lineage_key, sold.app_id, sold.store, sold.country,
        case sold.kind when 'one_time' then 'one_time' when 'top_up' then 'prepaid' else 'auto_renewable' end
            as product_type,
        (sold.purchased_at at time zone 'UTC')::date as purchase_day,
        marts.day_of(entry.occurred_at, sold.store, scope.time_zone) as day,
        run.seal,
        entry.kind in ('refund', 'refund_reversal') as is_refund
    from pg_temp.known_entries entry
    join pg_temp.known_transactions sold
        on sold.subscription_key = entry.subscription_key
        and sold.transaction_id = entry.transaction_id
        and sold.product_id = entry.product_id
    join subledger.runs run on run.run_id = entry.run_id
    cross join pg_temp.report_scope scope
),

running as (
    select
        entries.*,
        sum(amount_micros) filter (where not is_refund) over so_far as price_micros,
        coalesce(-sum(amount_micros) filter (where is_refund) over so_far, 0) as refunded_micros,
        count(*) filter (where kind = 'refund') over so_far as refunds,
        date_trunc('month', (min(day) filter (where kind = 'charge') over whole)::timestamp)::date as charge_month
    from entries
    window whole as (partition by subscription_key, transaction_id, product_id),
        so_far as (partition by subscription_key, transaction_id, product_id order by seq)
),

-- A reversal after which nothing is refunded any more undoes all refunds since the last such one.
undone as (
    select
        subscription_key, transaction_id, product_id, seq,
        refunds - coalesce(lag(refunds) over (
            partition by subscription_key, transaction_id, product_id order by seq
        ), 0) as refunds_undone
    from running
    where kind = 'refund_reversal' and refunded_micros = 0
)

select
    running.lineage_key, running.subscription_key, running.transaction_id, running.product_id, running.seq, running.kind,
    running.occurred_at, running.day, running.app_id, running.store, running.country, running.currency,
    running.product_type, running.amount_micros, running.tax_micros, running.proceeds_micros, running.purchase_day,
    running.charge_month,
    running.proceeds_micros is null
        and (running.subscription_key, running.transaction_id, running.product_id) in (
            select year.subscription_key, year.transaction_id, year.product_id from pg_temp.years_paid year
        ) as has_paid_a_year,
    case
        when running.kind = 'refund_reversal' then 'reversal'
        when running.is_refund and -running.amount_micros >= running.price_micros then 'full'
        when running.is_refund then 'partial'
    end as refund_kind,
    coalesce(undone.refunds_undone, 0) as refunds_undone,
    case when running.is_refund
        then (running.refunded_micros > 0)::integer - (running.refunded_micros + running.amount_micros > 0)::integer
        else 0
    end::bigint as refunded_charges,
    running.source, running.seal,
    marts.converted(running.amount_micros, rate.numerator, rate.denominator) as reporting_micros,
    marts.converted(running.tax_micros, rate.numerator, rate.denominator) as tax_reporting_micros,
    marts.converted(running.proceeds_micros, rate.numerator, rate.denominator) as proceeds_reporting_micros,
    rate.numerator as rate_numerator, rate.denominator as rate_denominator, rate.source as rate_source, rate.rate_date,
    rate.is_flagged as is_rate_flagged
from running
left join undone using (subscription_key, transaction_id, product_id, seq)
left join pg_temp.purchase_rates rate on rate.currency = running.currency and rate.purchase_day = running.purchase_day;

create index on pg_temp.new_money_movements (lineage_key);
analyze pg_temp.new_money_movements;
