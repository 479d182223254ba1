-- What the rows at hand add to the days: those that came count, those that went are taken out.
insert into refunds_daily as stored (
    day, app_id, store, product_id, currency, kind, entries, refunds, micros, reporting_micros, unconverted
)
select *
from (
    select
        day, app_id, store, product_id, currency, refund_kind, sum(sign) as entries,
        sum(sign * case when kind = 'refund' then 1 else -refunds_undone end)::bigint as refunds,
        sum(sign * amount_micros) as micros, sum(sign * coalesce(reporting_micros, 0)) as reporting_micros,
        sum(sign * (reporting_micros is null)::integer) as unconverted
    from pg_temp.changed_money_movements
    where refund_kind is not null
    group by day, app_id, store, product_id, currency, refund_kind
) moved
where (entries, refunds, micros, reporting_micros, unconverted) <> (0, 0, 0, 0, 0)
on conflict (day, app_id, store, product_id, currency, kind) do update set
    entries = stored.entries + excluded.entries,
    refunds = stored.refunds + excluded.refunds,
    micros = stored.micros + excluded.micros,
    reporting_micros = stored.reporting_micros + excluded.reporting_micros,
    unconverted = stored.unconverted + excluded.unconverted;

delete from refunds_daily where entries = 0;
