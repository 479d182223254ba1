-- What the rows at hand add to the days: those that came count, those that went are taken out.
insert into refunds_daily as held (
    day, app_id, store, product_id, currency, kind, entries, refunds, micros
)
select
    day, app_id, store, product_id, currency, refund_kind, sum(sign),
    sum(sign * case when kind = 'refund' then 1 else -refunds_undone end)::bigint, sum(sign * amount_micros)
from changed_money_movements
where refund_kind is not null
group by day, app_id, store, product_id, currency, refund_kind
having sum(sign) <> 0 or sum(sign * amount_micros) <> 0
    or sum(sign * case when kind = 'refund' then 1 else -refunds_undone end) <> 0
on conflict (day, app_id, store, product_id, currency, kind) do update set
    entries = held.entries + excluded.entries,
    refunds = held.refunds + excluded.refunds,
    micros = held.micros + excluded.micros;

delete from refunds_daily where entries = 0;
