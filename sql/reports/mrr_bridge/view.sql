-- The MRR bridge: what each day opened with, every movement of it, and what it closed with.
-- opening + imported + moved_in + new + expansion + reactivation + recovery + contraction + churn_* + lapsed + paused
--     + moved_out + fx = closing; outflows are negative. Each change stands in exactly one bucket.
-- Grain: one row per day, app, store, product and currency with any figure other than zero, from the first movement on.
--
-- Sums are exact; each printed figure is rounded once, on its own, half to even. Openings are running sums of the
-- movements, never a join of days and subscriptions. fx is zero: rates are frozen per paid period and amounts original.
-- When the store gives up, what stood under lapsed becomes churn_involuntary of that same day.
drop view if exists report.mrr_bridge;
drop function if exists report.mrr_bridge_as_of(bigint, date, date, text);
create function report.mrr_bridge_as_of(seal bigint, from_date date, through_date date, time_zone text) returns table (
    date date, app_id text, store text, product_id text, currency text, opening numeric, imported numeric, moved_in
    numeric, new numeric, expansion numeric, reactivation numeric, recovery numeric, contraction numeric,
    churn_voluntary numeric, churn_involuntary numeric, churn_price numeric, churn_product numeric, churn_refund
    numeric, churn_other numeric, lapsed numeric, paused numeric, moved_out numeric, fx numeric, closing numeric
)
language sql stable
set jit = off
as $$
    with sums as materialized (
        select * from report.mrr_bridge_sums_at(mrr_bridge_as_of.seal, mrr_bridge_as_of.time_zone)
    ),

    common as materialized (
        select report.least_common_multiple(lengths.denominator) as scale
        from (select distinct denominator from sums) lengths
    ),

    movements as materialized (
        select
            sums.day, sums.app_id, sums.store, sums.product_id, sums.currency, sums.bucket,
            sums.units * div(common.scale, sums.denominator) as units, common.scale
        from sums
        cross join common
        where sums.day <= mrr_bridge_as_of.through_date
    ),

    days as (
        select day::date as day
        from (
            -- Without any movement there is no first day, and a series from -infinity would never end.
            select case when count(*) > 0 then greatest(mrr_bridge_as_of.from_date, min(movements.day)) end as first_day
            from movements
        ) bounds
        cross join lateral generate_series(
            bounds.first_day::timestamp, mrr_bridge_as_of.through_date::timestamp, interval '1 day'
        ) day
        where isfinite(mrr_bridge_as_of.through_date)
    ),

    moved as (
        select
            greatest(movements.day, (select min(days.day) from days)) as day, app_id, store, product_id, currency,
            sum(units) as units,
            sum(units) filter (where movements.day < (select min(days.day) from days)) as units_before,
            sum(units) filter (where bucket = 'imported' and movements.day >= mrr_bridge_as_of.from_date) as imported,
            sum(units) filter (where bucket = 'moved_in' and movements.day >= mrr_bridge_as_of.from_date) as moved_in,
            sum(units) filter (where bucket = 'new' and movements.day >= mrr_bridge_as_of.from_date) as new,
            sum(units) filter (where bucket = 'expansion' and movements.day >= mrr_bridge_as_of.from_date) as expansion,
            sum(units) filter (where bucket = 'reactivation' and movements.day >= mrr_bridge_as_of.from_date) as reactivation,
            sum(units) filter (where bucket = 'recovery' and movements.day >= mrr_bridge_as_of.from_date) as recovery,
            sum(units) filter (where bucket = 'contraction' and movements.day >= mrr_bridge_as_of.from_date) as contraction,
            sum(units) filter (where bucket = 'churn_voluntary' and movements.day >= mrr_bridge_as_of.from_date) as churn_voluntary,
            sum(units) filter (where bucket = 'churn_involuntary' and movements.day >= mrr_bridge_as_of.from_date) as churn_involuntary,
            sum(units) filter (where bucket = 'churn_price' and movements.day >= mrr_bridge_as_of.from_date) as churn_price,
            sum(units) filter (where bucket = 'churn_product' and movements.day >= mrr_bridge_as_of.from_date) as churn_product,
            sum(units) filter (where bucket = 'churn_refund' and movements.day >= mrr_bridge_as_of.from_date) as churn_refund,
            sum(units) filter (where bucket = 'churn_other' and movements.day >= mrr_bridge_as_of.from_date) as churn_other,
            sum(units) filter (where bucket = 'lapsed' and movements.day >= mrr_bridge_as_of.from_date) as lapsed,
            sum(units) filter (where bucket = 'paused' and movements.day >= mrr_bridge_as_of.from_date) as paused,
            sum(units) filter (where bucket = 'moved_out' and movements.day >= mrr_bridge_as_of.from_date) as moved_out
        from movements
        group by 1, app_id, store, product_id, currency
    ),

    lines as (
        select app_id, store, product_id, currency, max(scale) as scale
        from movements
        group by app_id, store, product_id, currency
    ),

    standing as (
        select
            days.day, lines.app_id, lines.store, lines.product_id, lines.currency, lines.scale,
            sum(coalesce(moved.units, 0)) over line as closing,
            sum(coalesce(moved.units, 0)) over line - coalesce(moved.units, 0) + coalesce(moved.units_before, 0)
                as opening,
            coalesce(moved.imported, 0) as imported, coalesce(moved.moved_in, 0) as moved_in, coalesce(moved.new, 0)
            as new, coalesce(moved.expansion, 0) as expansion, coalesce(moved.reactivation, 0) as reactivation,
            coalesce(moved.recovery, 0) as recovery, coalesce(moved.contraction, 0) as contraction,
            coalesce(moved.churn_voluntary, 0) as churn_voluntary, coalesce(moved.churn_involuntary, 0) as
            churn_involuntary, coalesce(moved.churn_price, 0) as churn_price, coalesce(moved.churn_product, 0) as
            churn_product, coalesce(moved.churn_refund, 0) as churn_refund, coalesce(moved.churn_other, 0) as
            churn_other, coalesce(moved.lapsed, 0) as lapsed, coalesce(moved.paused, 0) as paused,
            coalesce(moved.moved_out, 0) as moved_out
        from days
        cross join lines
        left join moved
            on moved.day = days.day
            and moved.app_id = lines.app_id
            and moved.store = lines.store
            and moved.product_id = lines.product_id
            and moved.currency = lines.currency
        window line as (
            partition by lines.app_id, lines.store, lines.product_id, lines.currency order by days.day
        )
    )

    select
        day, app_id, store, product_id, currency, report.half_even(opening, scale),
        report.half_even(imported, scale), report.half_even(moved_in, scale), report.half_even(new, scale),
        report.half_even(expansion, scale), report.half_even(reactivation, scale), report.half_even(recovery, scale),
        report.half_even(contraction, scale), report.half_even(churn_voluntary, scale), report.half_even(churn_involuntary, scale),
        report.half_even(churn_price, scale), report.half_even(churn_product, scale), report.half_even(churn_refund, scale),
        report.half_even(churn_other, scale), report.half_even(lapsed, scale), report.half_even(paused, scale),
        report.half_even(moved_out, scale),
        0.000000, report.half_even(closing, scale)
    from standing
    where opening <> 0 or closing <> 0
        or imported <> 0 or moved_in <> 0 or new <> 0 or expansion <> 0 or reactivation <> 0
        or recovery <> 0 or contraction <> 0 or churn_voluntary <> 0 or churn_involuntary <> 0 or churn_price <> 0
        or churn_product <> 0 or churn_refund <> 0 or churn_other <> 0 or lapsed <> 0 or paused <> 0
        or moved_out <> 0
$$;

create view report.mrr_bridge as
select report.*
from subledger.newest_seal() newest
cross join lateral report.mrr_bridge_as_of(newest.seal, '-infinity', newest.business_date, 'UTC') report;

comment on function report.mrr_bridge_as_of is 'MRR by day: opening + movements = closing. MRR of a paid period is its price × 1/m for m months, × 30.4375/d for d days';
comment on view report.mrr_bridge is 'The MRR bridge by day, as of the newest seal, in UTC';
comment on column report.mrr_bridge.date is 'Day of the movements';
comment on column report.mrr_bridge.app_id is 'The owner''s own name of the app';
comment on column report.mrr_bridge.store is 'app_store or google_play';
comment on column report.mrr_bridge.product_id is 'Product of the paid period';
comment on column report.mrr_bridge.currency is 'ISO 4217 code of every amount in the row';
comment on column report.mrr_bridge.opening is 'MRR at the close of the day before: Σ of the current paid periods'' price × factor';
comment on column report.mrr_bridge.imported is 'MRR of lineages whose first known period was a renewal or a product change: they are older than what we know';
comment on column report.mrr_bridge.moved_in is 'Old value of lineages that changed to this product; the whole new value where the currency changed, a price became known, or a free period or replacement ended';
comment on column report.mrr_bridge.new is 'MRR of first paid periods of lineages; a trial counts at its conversion';
comment on column report.mrr_bridge.expansion is 'Higher MRR of a paid period than of the one before it, plan changes included';
comment on column report.mrr_bridge.reactivation is 'MRR of lineages paid again after an end';
comment on column report.mrr_bridge.recovery is 'MRR of lineages paid again out of billing retry, hold or pause';
comment on column report.mrr_bridge.contraction is 'Lower MRR of a paid period than of the one before it, plan changes included; negative';
comment on column report.mrr_bridge.churn_voluntary is 'MRR lost on the day of the effective end: the customer turned auto-renewal off; negative';
comment on column report.mrr_bridge.churn_involuntary is 'MRR lost because the payment failed and the store gave up, on the day of the effective end; negative';
comment on column report.mrr_bridge.churn_price is 'MRR lost because a price increase was not agreed to; negative';
comment on column report.mrr_bridge.churn_product is 'MRR lost because the product was not available for renewal; negative';
comment on column report.mrr_bridge.churn_refund is 'MRR of current periods that were refunded; negative';
comment on column report.mrr_bridge.churn_other is 'MRR lost by the developers act, revocation without money back, or an untold reason; negative';
comment on column report.mrr_bridge.lapsed is 'MRR whose payment failed and is awaited (billing retry, hold), or came back by a recovery; negative';
comment on column report.mrr_bridge.paused is 'MRR of lineages the customer paused; negative';
comment on column report.mrr_bridge.moved_out is 'Value of lineages that left for another product or currency, a free period or a replacing purchase; negative';
comment on column report.mrr_bridge.fx is 'Always zero: rates are frozen per paid period';
comment on column report.mrr_bridge.closing is 'MRR at the end of the day: opening and all movements';
