-- What the monthly metrics are made of beyond the MRR bridge's movements and the subscribers' standings.
-- Grain: one row per day, app, store, product, currency, figure and denominator, and for in_force by what its tax and
-- commission hang on; the currency is empty where the price is unknown. Σ units ÷ denominator is money in micros, in lowest
-- terms. figure:
--   due, renewed, plan_change    number: periods whose own end was that day; what renewed is due as well
--   churned                      number: lineages of the month's opening set, on the day they first churned in the month,
--                                under the product and currency they opened with
--   lost, gained, reactivated    units: what the day adds to the month's loss and gain of an opening lineage, under the
--                                product it opened with; in sum no more is lost than was opened with, and a recovery
--                                counts by what it exceeds the lapse before it
--   in_force                     what came into force less what went, by number, MRR (units), and the tax and proceeds that
--                                the store told of it (net_units, proceeds_units; 0 where it did not)
-- In other figures than in_force the columns from country to are_proceeds_told say nothing: empty, -infinity and false.
drop table if exists report.metrics_sums cascade;
create table report.metrics_sums (
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    currency text not null,
    figure text not null,
    denominator numeric not null,
    country text not null,
    purchase_day date not null,
    has_paid_a_year boolean not null,
    is_tax_told boolean not null,
    are_proceeds_told boolean not null,
    number bigint not null,
    units numeric not null,
    net_units numeric not null,
    proceeds_units numeric not null,
    primary key (
        day, app_id, store, product_id, currency, figure, denominator, country, purchase_day, has_paid_a_year, is_tax_told,
        are_proceeds_told
    )
);

create or replace function report.metrics_sums_as_of(seal bigint, subscriptions bigint[], time_zone text)
returns setof report.metrics_sums
language sql stable
set enable_nestloop = off
set jit = off
as $$
    with pieces as materialized (
        select
            piece.*, paid.declared_end, paid.period_end, paid.is_refunded, paid.purchased_at,
            coalesce(paid.first_starts_at < piece.starts_at, false) as is_addition,
            lead(piece.entry) over line as next_entry,
            lead(piece.product_id) over line <> piece.product_id
                or coalesce(lead(paid.base_plan_id) over line <> paid.base_plan_id, false) as is_next_other_plan,
            report.day_of(piece.starts_at, piece.store, metrics_sums_as_of.time_zone) as start_day,
            report.day_of(piece.ends_at, piece.store, metrics_sums_as_of.time_zone) as end_day,
            report.day_of(paid.declared_end, piece.store, metrics_sums_as_of.time_zone) as due_day
        from report.mrr_pieces_as_of(metrics_sums_as_of.seal, metrics_sums_as_of.subscriptions) piece
        join report.paid_segments_as_of(metrics_sums_as_of.seal, metrics_sums_as_of.subscriptions) paid
            on paid.subscription_key = piece.subscription_key
            and paid.transaction_id = piece.transaction_id
            and paid.product_id = piece.product_id
        window line as (
            partition by piece.lineage_key, coalesce(paid.first_starts_at < piece.starts_at, false)
            order by piece.segment_no, piece.starts_at, piece.transaction_id
        )
    ),

    -- An order of several products goes by the country of its dearest product, under which it stands.
    valued as (
        select
            piece.app_id, piece.store, piece.product_id, piece.currency, piece.start_day, piece.end_day, piece.scale,
            piece.gross_units, piece.net_units, piece.proceeds_units, coalesce(sold.country, '') as country,
            (piece.purchased_at at time zone 'UTC')::date as purchase_day,
            gcd(
                gcd(piece.gross_units, piece.scale),
                gcd(coalesce(piece.net_units, 0), coalesce(piece.proceeds_units, 0))
            ) as part,
            piece.proceeds_units is null
                and (piece.subscription_key, piece.transaction_id, piece.product_id) in (
                    select year.subscription_key, year.transaction_id, year.product_id
                    from report.paid_a_year_as_of(metrics_sums_as_of.seal, metrics_sums_as_of.subscriptions) year
                ) as has_paid_a_year
        from pieces piece
        join subledger.transactions_as_of(metrics_sums_as_of.seal, metrics_sums_as_of.subscriptions) sold
            on sold.subscription_key = piece.subscription_key
            and sold.transaction_id = piece.transaction_id
            and sold.product_id = piece.product_id
        where piece.gross_units is not null
    ),

    changes as (
        select
            lineage_key, currency, day, date_trunc('month', day::timestamp)::date as month,
            -sum(units) filter (where bucket like 'churn%' or bucket = 'contraction') as lost,
            sum(units) filter (where bucket = 'expansion') as expanded,
            sum(units) filter (where bucket in ('recovery', 'lapsed', 'paused')) as recovered,
            sum(units) filter (where bucket = 'reactivation') as reactivated
        from report.mrr_movements_as_of(
            metrics_sums_as_of.seal, metrics_sums_as_of.time_zone, metrics_sums_as_of.subscriptions
        )
        where isfinite(day)
        group by lineage_key, currency, day
    ),

    -- Changes of lineages that were active when the month began, and the month so far with each.
    so_far as (
        select
            opened.lineage_key, opened.app_id, opened.store, opened.product_id, opened.currency, opened.scale,
            changes.month, changes.day, coalesce(changes.reactivated, 0) as reactivated,
            least(opened.gross_units, coalesce(sum(changes.lost) over so_far, 0)) as lost,
            coalesce(sum(changes.expanded) over so_far, 0) + greatest(0, sum(changes.recovered) over so_far) as gained
        from changes
        join pieces opened
            on opened.lineage_key = changes.lineage_key
            and opened.currency = changes.currency
            and opened.start_day < changes.month
            and opened.end_day >= changes.month
        window so_far as (partition by opened.lineage_key, opened.currency, changes.month order by changes.day)
    ),

    added as (
        select
            day, app_id, store, product_id, currency, scale, reactivated,
            lost - lag(lost, 1, 0::numeric) over so_far as lost,
            gained - lag(gained, 1, 0::numeric) over so_far as gained
        from so_far
        window so_far as (partition by lineage_key, currency, month order by day)
    ),

    gone as (
        select lineage_key, date_trunc('month', end_day::timestamp)::date as month, min(end_day) as day
        from pieces
        where is_last
            and outcome in ('voluntary', 'involuntary', 'price', 'product', 'refund', 'other')
            and isfinite(end_day)
        group by 1, 2
    ),

    figures as (
        select
            step.day, app_id, store, product_id, currency, 'in_force' as figure, div(scale, part) as denominator, country,
            purchase_day, has_paid_a_year, net_units is not null as is_tax_told,
            proceeds_units is not null as are_proceeds_told, step.change as number,
            step.change * div(gross_units, part) as units, step.change * coalesce(div(net_units, part), 0) as net_units,
            step.change * coalesce(div(proceeds_units, part), 0) as proceeds_units
        from valued
        cross join lateral (values (start_day, 1), (end_day, -1)) step (day, change)
        where isfinite(step.day)
        union all
        select
            added.day, app_id, store, product_id, currency, figure.name, div(scale, gcd(figure.units, scale)), '',
            '-infinity', false, false, false, 0, div(figure.units, gcd(figure.units, scale)), 0, 0
        from added
        cross join lateral (
            values ('lost', lost), ('gained', gained), ('reactivated', reactivated)
        ) figure (name, units)
        where figure.units <> 0
        union all
        select
            gone.day, opened.app_id, opened.store, opened.product_id, coalesce(opened.currency, ''), 'churned', 1, '',
            '-infinity', false, false, false, 1, 0, 0, 0
        from gone
        join pieces opened
            on opened.lineage_key = gone.lineage_key
            and opened.start_day < gone.month
            and opened.end_day >= gone.month
        union all
        -- Periods that ran to their own end: renewed, lost, or given way to another plan; seats that were added to one are
        -- due with it.
        select
            due_day, app_id, store, product_id, coalesce(currency, ''), figure.name, 1, '', '-infinity', false, false,
            false, 1, 0, 0, 0
        from pieces
        cross join lateral (
            values
                ('due', not coalesce(next_entry = 'change' and is_next_other_plan, false)),
                ('renewed', next_entry = 'change' and not is_next_other_plan),
                ('plan_change', next_entry = 'change' and is_next_other_plan)
        ) figure (name, is_so)
        where figure.is_so and not is_addition and not (is_refunded and declared_end < period_end)
    )

    select
        day, app_id, store, product_id, currency, figure, denominator, country, purchase_day, has_paid_a_year,
        is_tax_told, are_proceeds_told, sum(number)::bigint, sum(units), sum(net_units), sum(proceeds_units)
    from figures
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    having sum(number) <> 0 or sum(units) <> 0 or sum(net_units) <> 0 or sum(proceeds_units) <> 0
$$;

comment on table report.metrics_sums is 'Kept sums of renewals, of what opening lineages lost and gained, and of MRR by what its tax and commission hang on';
comment on function report.metrics_sums_as_of is 'The same sums, of some subscriptions or all, as of a seal';

call report.make_reader('metrics');
