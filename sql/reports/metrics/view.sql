-- Metrics by month: the rates that follow from the subscribers and the MRR bridge.
-- Grain: one row per calendar month, app, store, product and currency with any figure; the currency is empty where the
-- price is unknown. The last month runs to the last day reported.
--
-- Rates follow the opening set: the lineages active when the month began, under the product and currency they had then.
-- A lineage cannot lose more than it opened with, and its recovery counts by what it exceeds the lapse before it. What came from elsewhere (new, back after an earlier month's end) is in
-- the quick ratio, whose parts are sums of the bridge's days, and in no rate.
drop view if exists report.metrics;
drop function if exists report.metrics_as_of(bigint, date, date, text);
create function report.metrics_as_of(seal bigint, from_date date, through_date date, time_zone text) returns table (
    month text, app_id text, store text, product_id text, currency text, opening bigint, churned bigint,
    churn_rate numeric, opening_mrr numeric, lost_mrr numeric, gross_mrr_churn numeric, net_mrr_churn numeric,
    grr numeric, nrr numeric, nrr_with_reactivation numeric, quick_ratio numeric, closing_mrr numeric,
    closing_mrr_net_of_tax numeric, closing_mrr_proceeds numeric, arr numeric, due bigint, renewed bigint,
    plan_changes bigint, renewal_rate numeric, active bigint, set_to_cancel bigint,
    net_of_tax_estimated_share numeric, proceeds_estimated_share numeric
)
language sql stable
as $$
    with pieces as materialized (
        select
            piece.*, paid.declared_end, paid.period_end, paid.is_refunded,
            lead(piece.product_id) over line as next_product_id,
            lead(piece.entry) over line as next_entry,
            report.day_of(piece.starts_at, piece.store, metrics_as_of.time_zone) as start_day,
            report.day_of(piece.ends_at, piece.store, metrics_as_of.time_zone) as end_day,
            report.day_of(paid.declared_end, piece.store, metrics_as_of.time_zone) as due_day
        from report.mrr_pieces_as_of(metrics_as_of.seal) piece
        join report.paid_segments_as_of(metrics_as_of.seal) paid
            on paid.subscription_key = piece.subscription_key
            and paid.transaction_id = piece.transaction_id
            and paid.product_id = piece.product_id
        window line as (
            partition by piece.lineage_key order by piece.segment_no, piece.starts_at, piece.transaction_id
        )
    ),

    movements as materialized (
        select
            date_trunc('month', movement.day::timestamp)::date as month, movement.*
        from report.mrr_movements_as_of(metrics_as_of.seal, metrics_as_of.time_zone) movement
        where movement.day <= metrics_as_of.through_date
    ),

    moved as (
        select
            month, lineage_key, currency,
            -sum(units) filter (where bucket like 'churn%' or bucket = 'contraction') as lost,
            coalesce(sum(units) filter (where bucket = 'expansion'), 0)
                + greatest(0, sum(units) filter (where bucket in ('recovery', 'lapsed', 'paused'))) as gained,
            sum(units) filter (where bucket = 'reactivation') as reactivated
        from movements
        group by month, lineage_key, currency
    ),

    left_for_good as (
        select distinct lineage_key, date_trunc('month', end_day::timestamp)::date as month
        from pieces
        where is_last
            and outcome in ('voluntary', 'involuntary', 'price', 'product', 'refund', 'other')
            and end_day <= metrics_as_of.through_date
    ),

    -- Lineages active when a month began: one row per lineage and month.
    opening_set as (
        select
            month::date as month, pieces.lineage_key, pieces.app_id, pieces.store, pieces.product_id, pieces.currency,
            pieces.gross_units, pieces.scale
        from pieces
        cross join lateral generate_series(
            date_trunc('month', pieces.start_day::timestamp) + interval '1 month',
            date_trunc('month', least(pieces.end_day, metrics_as_of.through_date)::timestamp),
            interval '1 month'
        ) month
        where isfinite(metrics_as_of.through_date)
    ),

    figures as (
        select
            opened.month, opened.app_id, opened.store, opened.product_id, opened.currency, opened.scale,
            1 as opening, (gone.lineage_key is not null)::integer as churned, opened.gross_units as opening_units,
            least(opened.gross_units, coalesce(moved.lost, 0)) as lost, coalesce(moved.gained, 0) as gained,
            coalesce(moved.reactivated, 0) as reactivated,
            0 as inflow, 0 as outflow, null::numeric as closing_units, null::bigint as base_key,
            null::text as base_transaction_id, 0 as due, 0 as renewed, 0 as plan_changes, 0 as active, 0 as set_to_cancel
        from opening_set opened
        left join moved
            on moved.lineage_key = opened.lineage_key
            and moved.month = opened.month
            and moved.currency = opened.currency
        left join left_for_good gone on gone.lineage_key = opened.lineage_key and gone.month = opened.month
        union all
        select
            month, app_id, store, product_id, currency, scale, 0, 0, null, 0, 0, 0,
            case when bucket in ('new', 'expansion', 'reactivation', 'recovery') then units else 0 end,
            case when bucket like 'churn%' or bucket = 'contraction' then -units else 0 end,
            null, null, null, 0, 0, 0, 0, 0
        from movements
        union all
        -- Periods that ran to their own end on a day that is over: renewed, lost, or given way to another plan.
        select
            date_trunc('month', due_day::timestamp)::date, app_id, store, product_id, currency, scale, 0, 0, null, 0, 0,
            0, 0, 0, null, null, null,
            case when next_entry = 'change' and next_product_id <> product_id then 0 else 1 end,
            case when next_entry = 'change' and next_product_id = product_id then 1 else 0 end,
            case when next_entry = 'change' and next_product_id <> product_id then 1 else 0 end,
            0, 0
        from pieces
        where not (is_refunded and declared_end < period_end) and due_day <= metrics_as_of.through_date
        union all
        select
            month::date, standing.app_id, standing.store, standing.product_id, standing.currency, standing.scale, 0, 0,
            null, 0, 0, 0, 0, 0, null, null, null, 0, 0, 0,
            0, 1
        from report.standings_as_of(metrics_as_of.seal, metrics_as_of.time_zone) standing
        cross join lateral report.month_ends(
            standing.from_day, standing.until_day, metrics_as_of.through_date
        ) month
        where standing.standing = 'set_to_cancel'
        union all
        select
            month::date, pieces.app_id, pieces.store, pieces.product_id, pieces.currency, pieces.scale, 0, 0, null, 0,
            0, 0, 0, 0, pieces.gross_units, pieces.subscription_key, pieces.transaction_id, 0, 0, 0, 1, 0
        from pieces
        cross join lateral report.month_ends(pieces.start_day, pieces.end_day, metrics_as_of.through_date) month
    ),

    summed as (
        select
            figures.month, figures.app_id, figures.store, figures.product_id, figures.currency,
            max(figures.scale) as scale, sum(opening) as opening, sum(churned) as churned,
            sum(opening_units) as opening_units, sum(lost) as lost, sum(gained) as gained,
            sum(reactivated) as reactivated, sum(inflow) as inflow, sum(outflow) as outflow,
            sum(closing_units) as closing_units,
            report.nearest_whole(report.sum_of_fractions(
                base.net_numerator, base.net_denominator * figures.scale
            )) as net_micros,
            report.nearest_whole(report.sum_of_fractions(
                base.proceeds_numerator, base.proceeds_denominator * figures.scale
            )) as proceeds_micros,
            coalesce(sum(closing_units) filter (where not base.is_tax_told), 0) as untaxed_units,
            coalesce(sum(closing_units) filter (where not base.are_proceeds_told), 0) as untold_units,
            sum(due) as due, sum(renewed) as renewed, sum(plan_changes) as plan_changes, sum(active) as active,
            sum(set_to_cancel) as set_to_cancel
        from figures
        left join report.mrr_bases_as_of(metrics_as_of.seal) base
            on base.subscription_key = figures.base_key
            and base.transaction_id = figures.base_transaction_id
            and base.product_id = figures.product_id
        where figures.month >= date_trunc('month', metrics_as_of.from_date::timestamp)
        group by figures.month, figures.app_id, figures.store, figures.product_id, figures.currency
    )

    select
        to_char(month, 'YYYY-MM'), app_id, store, product_id, currency, opening, churned,
        report.share(churned, opening),
        report.half_even(coalesce(opening_units, 0), scale),
        report.half_even(lost, scale),
        report.ratio(lost, opening_units),
        report.ratio(lost - gained - reactivated, opening_units),
        report.ratio(opening_units - lost, opening_units),
        report.ratio(opening_units - lost + gained, opening_units),
        report.ratio(opening_units - lost + gained + reactivated, opening_units),
        report.ratio(inflow, outflow),
        report.half_even(coalesce(closing_units, 0), scale),
        net_micros * 0.000001,
        proceeds_micros * 0.000001,
        report.half_even(coalesce(closing_units, 0) * 12, scale),
        due, renewed, plan_changes, report.share(renewed, due), active, set_to_cancel,
        report.ratio(untaxed_units, closing_units), report.ratio(untold_units, closing_units)
    from summed
$$;

create view report.metrics as
select report.*
from subledger.newest_seal() newest
cross join lateral report.metrics_as_of(newest.seal, '-infinity', newest.business_date, 'UTC') report;

comment on function report.metrics_as_of is 'Rates by month, of the lineages and the MRR that the month opened with';
comment on view report.metrics is 'Metrics by month, as of the newest seal, in UTC';
comment on column report.metrics.month is 'Calendar month, yyyy-mm; the last one to the last day reported';
comment on column report.metrics.app_id is 'The owner''s own name of the app';
comment on column report.metrics.store is 'app_store or google_play';
comment on column report.metrics.product_id is 'Product of the paid period; for rates, the one the month opened with';
comment on column report.metrics.currency is 'ISO 4217 code of the amounts; empty where the price is unknown';
comment on column report.metrics.opening is 'Active lineages when the month began';
comment on column report.metrics.churned is 'Of them, those that churned within the month, each once';
comment on column report.metrics.churn_rate is 'Subscriber churn rate: churned ÷ opening, 0 to 1';
comment on column report.metrics.opening_mrr is 'MRR of the opening lineages';
comment on column report.metrics.lost_mrr is 'Churn and contraction of the opening lineages within the month, no more than each opened with';
comment on column report.metrics.gross_mrr_churn is 'lost_mrr ÷ opening_mrr, 0 to 1';
comment on column report.metrics.net_mrr_churn is '(lost_mrr − expansion − recovery − reactivation of the opening lineages) ÷ opening_mrr';
comment on column report.metrics.grr is 'Gross revenue retention: 1 − gross_mrr_churn';
comment on column report.metrics.nrr is 'Net revenue retention without reactivation: (opening_mrr − lost_mrr + expansion + recovery of the opening lineages) ÷ opening_mrr';
comment on column report.metrics.nrr_with_reactivation is 'The same with reactivation: 1 − net_mrr_churn';
comment on column report.metrics.quick_ratio is '(new + expansion + reactivation + recovery) ÷ (contraction + churn), of the bridge''s days; empty where nothing was lost';
comment on column report.metrics.closing_mrr is 'MRR at the end of the month';
comment on column report.metrics.closing_mrr_net_of_tax is 'The same net of tax: the store''s tax, else estimated by the tax table; what neither tells is left out; empty where nothing is known';
comment on column report.metrics.closing_mrr_proceeds is 'The same as proceeds: the store''s, else estimated by tax table and commission rules; what neither tells is left out; empty where nothing is known';
comment on column report.metrics.arr is 'ARR: 12 × closing_mrr';
comment on column report.metrics.due is 'Paid periods that ran to their own end within the month, refunds and plan changes apart';
comment on column report.metrics.renewed is 'Of them, those the same product followed without a gap, grace included';
comment on column report.metrics.plan_changes is 'Periods that another product followed instead';
comment on column report.metrics.renewal_rate is 'renewed ÷ due, 0 to 1';
comment on column report.metrics.active is 'Active lineages at the end of the month';
comment on column report.metrics.set_to_cancel is 'Of them, those whose auto-renewal was off, as far as was known then';
comment on column report.metrics.net_of_tax_estimated_share is 'Part of closing_mrr whose tax is estimated or missing, 0 to 1';
comment on column report.metrics.proceeds_estimated_share is 'Part of closing_mrr whose proceeds are estimated or missing, 0 to 1';
