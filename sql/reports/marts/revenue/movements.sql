-- What the rows at hand add to the days: those that came count, those that went are taken out.
insert into revenue_daily as held (
    day, app_id, store, product_id, country, currency, product_type, purchase_day, has_paid_a_year, is_refund,
    is_tax_untold, is_untold, movements, charges, refunds, micros, moved_micros, listed_micros, tax_micros,
    proceeds_micros
)
select *
from (
    select
        day, app_id, store, product_id, coalesce(country, '') as country, currency, product_type, purchase_day,
        has_paid_a_year, refund_kind is not null as is_refund, tax_micros is null as is_tax_untold,
        proceeds_micros is null as is_untold,
        sum(sign) as movements,
        sum(sign * (kind = 'charge')::integer) as charges,
        sum(sign * ((kind = 'refund')::integer - refunds_undone))::bigint as refunds,
        sum(sign * amount_micros) as micros,
        sum(sign * abs(amount_micros)) as moved_micros,
        sum(sign * case when source = 'price_list' then abs(amount_micros) else 0 end) as listed_micros,
        sum(sign * coalesce(tax_micros, 0)) as tax_micros,
        sum(sign * coalesce(proceeds_micros, 0)) as proceeds_micros
    from changed_money_movements
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
) moved
where (movements, charges, refunds, micros, moved_micros, listed_micros, tax_micros, proceeds_micros)
    <> (0, 0, 0, 0, 0, 0, 0, 0)
on conflict (day, app_id, store, product_id, country, currency, product_type, purchase_day, has_paid_a_year, is_refund, is_tax_untold, is_untold) do update set
    movements = held.movements + excluded.movements,
    charges = held.charges + excluded.charges,
    refunds = held.refunds + excluded.refunds,
    micros = held.micros + excluded.micros,
    moved_micros = held.moved_micros + excluded.moved_micros,
    listed_micros = held.listed_micros + excluded.listed_micros,
    tax_micros = held.tax_micros + excluded.tax_micros,
    proceeds_micros = held.proceeds_micros + excluded.proceeds_micros;

delete from revenue_daily where movements = 0;
