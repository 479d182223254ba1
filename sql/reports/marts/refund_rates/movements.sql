-- What the rows at hand add to the days: those that came count, those that went are taken out.
insert into refund_rates_daily as stored (
    day, charge_month, app_id, store, product_id, currency, entries, charges, refunds, refunded_charges,
    charged_micros, refunded_micros, charged_reporting_micros, refunded_reporting_micros, unconverted, unconverted_refunds
)
select *
from (
    select
        day, charge_month, app_id, store, product_id, currency,
        sum(sign) as entries,
        sum(sign * (kind = 'charge')::integer) as charges,
        sum(sign * ((kind = 'refund')::integer - refunds_undone))::bigint as refunds,
        sum(sign * refunded_charges)::bigint as refunded_charges,
        sum(sign * case when refund_kind is null then amount_micros else 0 end) as charged_micros,
        sum(sign * case when refund_kind is null then 0 else -amount_micros end) as refunded_micros,
        coalesce(sum(sign * reporting_micros) filter (where refund_kind is null), 0) as charged_reporting_micros,
        coalesce(-sum(sign * reporting_micros) filter (where refund_kind is not null), 0) as refunded_reporting_micros,
        sum(sign * (reporting_micros is null)::integer) as unconverted,
        sum(sign * (reporting_micros is null and refund_kind is not null)::integer) as unconverted_refunds
    from pg_temp.changed_money_movements
    group by day, charge_month, app_id, store, product_id, currency
) moved
where (entries, charges, refunds, refunded_charges, charged_micros, refunded_micros, charged_reporting_micros,
    refunded_reporting_micros, unconverted, unconverted_refunds) <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
on conflict (day, charge_month, app_id, store, product_id, currency) do update set
    entries = stored.entries + excluded.entries,
    charges = stored.charges + excluded.charges,
    refunds = stored.refunds + excluded.refunds,
    refunded_charges = stored.refunded_charges + excluded.refunded_charges,
    charged_micros = stored.charged_micros + excluded.charged_micros,
    refunded_micros = stored.refunded_micros + excluded.refunded_micros,
    charged_reporting_micros = stored.charged_reporting_micros + excluded.charged_reporting_micros,
    refunded_reporting_micros = stored.refunded_reporting_micros + excluded.refunded_reporting_micros,
    unconverted = stored.unconverted + excluded.unconverted,
    unconverted_refunds = stored.unconverted_refunds + excluded.unconverted_refunds;

delete from refund_rates_daily where entries = 0;
