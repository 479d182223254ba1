-- What the lineages at hand contribute to the figures, as one seal knew them (of_marts or of_new says where from). Grain: one row per movement.
-- Figures: gross and refunded by currency; churned, by reason, and lapsed; and every movement of the MRR bridge by
-- currency, in nanos. $1 true: as known now; false: as the last issue knew it
insert into pg_temp.compared_parts (is_now, figure, day, app_id, product_id, transaction_id, amount, seal)
select
    $1::boolean, case when refund_kind is null then 'gross ' else 'refunded ' end || currency, day, app_id, product_id,
    transaction_id, case when refund_kind is null then 1000 else -1000 end * amount_micros::numeric, seal
from pg_temp.compared_money_movements
union all
select $1::boolean, 'mrr ' || bucket || ' ' || currency, day, app_id, product_id, transaction_id, nanos, null
from pg_temp.compared_mrr_changes
union all
select
    $1::boolean, case when outcome = 'lapsed' then 'lapsed' else 'churned ' || outcome end, end_day, app_id, product_id,
    transaction_id, 1, null
from pg_temp.compared_paid_periods
where is_last and outcome not in ('open', 'paused', 'free', 'replaced', 'retired')
