-- What the rows at hand add to the days: those that came count, those that went are taken out.
insert into revenue_daily as stored (
    day, app_id, store, product_id, country, currency, product_type, purchase_day, has_paid_a_year, is_refund,
    is_tax_unreported, are_proceeds_unreported, rate_source, rate_date, is_rate_flagged, movements, charges, refunds, micros,
    moved_micros, listed_micros, tax_micros, proceeds_micros, reporting_micros, tax_reporting_micros, proceeds_reporting_micros, unconverted
)
select *
from (
    select
        day, app_id, store, product_id, coalesce(country, '') as country, currency, product_type, purchase_day,
        has_paid_a_year, refund_kind is not null as is_refund, tax_micros is null as is_tax_unreported,
        proceeds_micros is null as are_proceeds_unreported, coalesce(rate_source, '') as rate_source,
        coalesce(rate_date, '-infinity') as rate_date, coalesce(is_rate_flagged, false) as is_rate_flagged,
        sum(sign) as movements,
        sum(sign * (kind = 'charge')::integer) as charges,
        sum(sign * ((kind = 'refund')::integer - refunds_undone))::bigint as refunds,
        sum(sign * amount_micros) as micros,
        sum(sign * abs(amount_micros)) as moved_micros,
        sum(sign * case when source = 'price_list' then abs(amount_micros) else 0 end) as listed_micros,
        sum(sign * coalesce(tax_micros, 0)) as tax_micros,
        sum(sign * coalesce(proceeds_micros, 0)) as proceeds_micros,
        sum(sign * coalesce(reporting_micros, 0)) as reporting_micros,
        sum(sign * coalesce(tax_reporting_micros, 0)) as tax_reporting_micros,
        sum(sign * coalesce(proceeds_reporting_micros, 0)) as proceeds_reporting_micros,
        sum(sign * (reporting_micros is null)::integer) as unconverted
    from pg_temp.changed_money_movements
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
) moved
where (movements, charges, refunds, micros, moved_micros, listed_micros, tax_micros, proceeds_micros, reporting_micros,
    tax_reporting_micros, proceeds_reporting_micros, unconverted) <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
on conflict (
    day, app_id, store, product_id, country, currency, product_type, purchase_day, has_paid_a_year, is_refund, is_tax_unreported,
    are_proceeds_unreported, rate_source, rate_date, is_rate_flagged
) do update set
    movements = stored.movements + excluded.movements,
    charges = stored.charges + excluded.charges,
    refunds = stored.refunds + excluded.refunds,
    micros = stored.micros + excluded.micros,
    moved_micros = stored.moved_micros + excluded.moved_micros,
    listed_micros = stored.listed_micros + excluded.listed_micros,
    tax_micros = stored.tax_micros + excluded.tax_micros,
    proceeds_micros = stored.proceeds_micros + excluded.proceeds_micros,
    reporting_micros = stored.reporting_micros + excluded.reporting_micros,
    tax_reporting_micros = stored.tax_reporting_micros + excluded.tax_reporting_micros,
    proceeds_reporting_micros = stored.proceeds_reporting_micros + excluded.proceeds_reporting_micros,
    unconverted = stored.unconverted + excluded.unconverted;

delete from revenue_daily where movements = 0;
