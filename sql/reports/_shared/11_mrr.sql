-- Monthly recurring revenue of every paid period, as a seal saw it.

-- The product catalogue: how long a period of each product is.
-- Grain: one row per app, product, base plan (empty: any) and stretch of days [valid_from, valid_until) with a length that is
-- whole months or whole days; the row recorded last counts. Other durations say nothing here.
drop function if exists report.product_periods_as_of(bigint);
create function report.product_periods_as_of(seal bigint) returns table (
    app_id text, product_id text, base_plan_id text, valid_from date, valid_until date, months bigint, days bigint
)
language sql stable
as $$
    with newest as (
        select distinct on (product.app_id, product.product_id, product.base_plan_id, product.valid_from) product.*
        from subledger.products product
        join subledger.runs run on run.run_id = product.recorded_run_id
        where run.seal <= product_periods_as_of.seal
        order by product.app_id, product.product_id, product.base_plan_id, product.valid_from, run.seal desc
    ),

    dated as (
        select
            newest.app_id, newest.product_id, newest.base_plan_id, newest.valid_from,
            lead(newest.valid_from, 1, 'infinity') over (
                partition by newest.app_id, newest.product_id, newest.base_plan_id order by newest.valid_from
            ) as valid_until,
            case
                when newest.period ~ '^P(?=\d)(\d+Y)?(\d+M)?$' then
                    extract(year from newest.period::interval) * 12 + extract(month from newest.period::interval)
            end::bigint as months,
            case
                when newest.period ~ '^P(?=\d)(\d+W)?(\d+D)?$' then extract(day from newest.period::interval)
            end::bigint as days
        from newest
    )

    select
        dated.app_id, dated.product_id, dated.base_plan_id, dated.valid_from, dated.valid_until, dated.months, dated.days
    from dated
    where dated.months > 0 or dated.days > 0
$$;

-- Whole calendar months from one instant to another, within 26 hours; 28 to 31 days are one month. NULL: not months.
create or replace function report.calendar_months(starts_at timestamptz, ends_at timestamptz) returns bigint
language sql immutable
as $$
    select case
        when length.days between 28 and 31 then 1
        when length.guess >= 1
            and abs(extract(epoch from calendar_months.ends_at) - extract(epoch from (
                (calendar_months.starts_at at time zone 'UTC') + make_interval(months => length.guess)
            ) at time zone 'UTC')) <= 26 * 3600 then length.guess
    end
    from (
        select exact.days, round(exact.days / 30.4375)::integer as guess
        from (
            select extract(epoch from (calendar_months.ends_at - calendar_months.starts_at)) / 86400 as days
        ) exact
    ) length
$$;

-- A week or whole months, as stores sell them: within 26 hours, and for the first period after a change of plan within two,
-- because what the change left over may make a month of 58 days.
create or replace function report.is_plan_length(
    starts_at timestamptz, ends_at timestamptz, kind text
) returns boolean
language sql immutable
as $$
    select
        coalesce(
            abs(extract(epoch from is_plan_length.ends_at) - extract(epoch from (
                (is_plan_length.starts_at at time zone 'UTC') + make_interval(months => length.months::integer)
            ) at time zone 'UTC')) <= length.tolerance,
            false
        )
        or not length.is_changed and length.months is not null
        or abs(extract(epoch from (is_plan_length.ends_at - is_plan_length.starts_at)) - 7 * 86400) <= length.tolerance
    from (
        select
            report.calendar_months(is_plan_length.starts_at, is_plan_length.ends_at) as months,
            changed.is_changed,
            case when changed.is_changed then 2 else 26 end * 3600 as tolerance
        from (select is_plan_length.kind in ('upgrade', 'downgrade', 'crossgrade') as is_changed) changed
    ) length
$$;

-- Paid periods with their MRR, and how each came to be paid.
-- Grain: one row per paid period of a lineage, as in report.paid_segments_as_of.
--
-- MRR of a period = its price × factor; m months: 1/m, d days: 30.4375/d = 487/(16 × d). Amounts stand in whole units of
-- 1/scale micros, so that sums of them are exact: micros = units ÷ scale, the same scale in every row. NULL where the
-- money is unknown. An order of several products counts with all of its money under its dearest product.
--
-- The length is the catalogue's on the day of the purchase, else the months the period matches, else its days. An offer
-- may last longer or shorter than its product (three months paid up front): where its own dates are not the catalogue's
-- within 26 hours, they count. So they do where the App Store sells a year by the month, under the product of the year, and
-- where Google Play sold a base plan of another length than the catalogue gives the product: one product is sold by the month
-- and by the year, and only a row of the base plan itself tells its length. A period that is of no plan's length was made longer
-- by what a change of plan left over: the catalogue's length is what its price is for.
--
-- The rest of a period that Google Play sells for what a change of plan left over is worth the plan's recurring price, as
-- listed, by the length the catalogue gives the plan; nobody told the tax in it, nor its proceeds. Where the catalogue does
-- not know the plan, its own dates are those of the rest: they go with what was charged.
--
-- entry: new, imported, reactivation, recovery or moved_in for the first piece of a segment; change for the others.
drop function if exists report.mrr_pieces_as_of(bigint);
drop function if exists report.mrr_pieces_as_of(bigint, bigint[]);
create function report.mrr_pieces_as_of(seal bigint, subscriptions bigint[] default null) returns table (
    lineage_key bigint, segment_no bigint, app_id text, store text, product_id text, currency text,
    starts_at timestamptz, ends_at timestamptz, is_last boolean, outcome text, entry text, subscription_key bigint,
    transaction_id text, scale numeric, gross_units numeric, net_units numeric, proceeds_units numeric,
    before_product_id text, before_currency text, before_units numeric
)
language sql stable
as $$
    with listed as materialized (
        select * from report.product_periods_as_of(mrr_pieces_as_of.seal)
    ),

    pieces as materialized (
        select
            piece.*,
            catalogue.months as catalogue_months, catalogue.days as catalogue_days,
            report.calendar_months(piece.starts_at, piece.period_end) as own_months,
            greatest(
                1, round(extract(epoch from (piece.period_end - piece.starts_at)) / 86400)
            )::bigint as own_days,
            worth.is_of_plan, worth.micros as worth_micros,
            not worth.is_of_plan and (
                piece.offer_type is not null
                or piece.store = 'app_store'
                    and catalogue.months = 12
                    and report.calendar_months(piece.starts_at, piece.period_end) = 1
                or piece.recurring_price_micros is null
                    and piece.base_plan_id is not null
                    and catalogue.is_of_any_plan
                    and report.is_plan_length(piece.starts_at, piece.period_end, piece.kind)
            ) and abs(
                extract(epoch from piece.period_end) - extract(epoch from (
                    (piece.starts_at at time zone 'UTC')
                        + make_interval(
                            months => coalesce(catalogue.months, 0)::integer, days => coalesce(catalogue.days, 0)::integer
                        )
                ) at time zone 'UTC')
            ) > 26 * 3600 as is_of_its_own_length
        from report.paid_segments_as_of(mrr_pieces_as_of.seal, mrr_pieces_as_of.subscriptions) piece
        left join listed own
            on own.app_id = piece.app_id
            and own.product_id = piece.product_id
            and own.base_plan_id = piece.base_plan_id
            and (piece.purchased_at at time zone 'UTC')::date >= own.valid_from
            and (piece.purchased_at at time zone 'UTC')::date < own.valid_until
        left join listed general
            on general.app_id = piece.app_id
            and general.product_id = piece.product_id
            and general.base_plan_id = ''
            and (piece.purchased_at at time zone 'UTC')::date >= general.valid_from
            and (piece.purchased_at at time zone 'UTC')::date < general.valid_until
        cross join lateral (
            select
                own.app_id is null as is_of_any_plan,
                case when own.app_id is null then general.months else own.months end as months,
                case when own.app_id is null then general.days else own.days end as days
        ) catalogue
        cross join lateral (
            select
                plan.is_known as is_of_plan,
                case when plan.is_known then piece.recurring_price_micros else piece.price_micros end as micros
            from (
                select
                    piece.recurring_price_micros is not null
                        and coalesce(catalogue.months, catalogue.days) is not null as is_known
            ) plan
        ) worth
    ),

    fractions as materialized (
        select
            pieces.*,
            case when months > 0 then 1 else 487 end::numeric as numerator,
            case when months > 0 then months else 16 * days end::numeric as denominator
        from pieces
        cross join lateral (
            select
                case
                    when coalesce(catalogue_months, catalogue_days) is null or is_of_its_own_length then own_months
                    else coalesce(catalogue_months, 0)
                end as months,
                case
                    when coalesce(catalogue_months, catalogue_days) is null or is_of_its_own_length then own_days
                    else catalogue_days
                end as days
        ) length
    ),

    common as materialized (
        select report.least_common_multiple(distinct_lengths.denominator) as scale
        from (select distinct denominator from fractions) distinct_lengths
    ),

    valued as (
        select
            fractions.*,
            common.scale,
            worth_micros * numerator * (common.scale / denominator) as own_gross_units,
            case when is_as_charged then price_micros - tax_micros end
                * numerator * (common.scale / denominator) as own_net_units,
            case when is_as_charged then proceeds_micros end * numerator * (common.scale / denominator)
                as own_proceeds_units
        from fractions
        cross join common
        cross join lateral (select not is_of_plan or worth_micros = price_micros as is_as_charged) told
    ),

    -- Seats are worth what they are by themselves, and those that were added what all so far are together.
    together as (
        select
            valued.*,
            case when count(own_gross_units) over seats_so_far = count(*) over seats_so_far
                then sum(own_gross_units) over seats_so_far end as gross_units,
            case when count(own_net_units) over seats_so_far = count(*) over seats_so_far
                then sum(own_net_units) over seats_so_far end as net_units,
            case when count(own_proceeds_units) over seats_so_far = count(*) over seats_so_far
                then sum(own_proceeds_units) over seats_so_far end as proceeds_units
        from valued
        window seats_so_far as (
            partition by
                lineage_key, subscription_key, product_id, first_starts_at,
                case when first_starts_at is null then transaction_id end
            order by starts_at, purchased_at, transaction_id
            rows between unbounded preceding and current row
        )
    ),

    in_line as (
        select
            together.*,
            row_number() over segment = 1 as is_first,
            lag(together.product_id) over line as before_product_id,
            lag(together.currency) over line as before_currency,
            lag(together.gross_units) over line as before_units,
            lag(together.outcome) over line as before_outcome,
            row_number() over line as place
        from together
        window line as (
            partition by together.lineage_key
            order by
                together.segment_no, together.starts_at, together.purchased_at, together.transaction_id,
                together.product_id
        ),
        segment as (
            partition by together.lineage_key, together.segment_no
            order by together.starts_at, together.purchased_at, together.transaction_id, together.product_id
        )
    )

    select
        lineage_key, segment_no, app_id, store, product_id, case when gross_units is not null then currency end,
        starts_at, ends_at, is_last, outcome,
        case
            when not is_first then 'change'
            when place = 1 and kind = 'purchase' then 'new'
            when place = 1 then 'imported'
            when before_outcome in ('lapsed', 'paused') then 'recovery'
            when before_outcome in ('free', 'replaced') then 'moved_in'
            else 'reactivation'
        end,
        subscription_key, transaction_id, scale, gross_units, net_units, proceeds_units,
        case when not is_first then before_product_id end,
        case when not is_first and before_units is not null then before_currency end,
        case when not is_first then before_units end
    from in_line
$$;

-- Every change of MRR, each in exactly one bucket; outflows negative.
-- Grain: one row per change of a lineage's MRR, product or currency. Units of 1/scale micros.
--
-- A product change moves the old value out of one product and into the other; the difference is expansion or
-- contraction on the new one. Values in two currencies, or of an unknown price, cannot be compared: the whole old value
-- moves out, the whole new one in. A free period between paid ones, and a purchase that another one replaced, move out
-- and in as well: nobody left. A lineage whose first known period was a renewal or a product change is imported.
drop function if exists report.mrr_movements_as_of(bigint, text);
drop function if exists report.mrr_movements_as_of(bigint, text, bigint[]);
create function report.mrr_movements_as_of(
    seal bigint, time_zone text, subscriptions bigint[] default null
) returns table (
    day date, lineage_key bigint, app_id text, store text, product_id text, currency text, bucket text,
    units numeric, scale numeric, transaction_id text
)
language sql stable
as $$
    select
        report.day_of(movement.at, piece.store, mrr_movements_as_of.time_zone), piece.lineage_key, piece.app_id,
        piece.store, movement.product_id, movement.currency, movement.bucket, movement.units, piece.scale,
        piece.transaction_id
    from report.mrr_pieces_as_of(mrr_movements_as_of.seal, mrr_movements_as_of.subscriptions) piece
    cross join lateral (
        select
            piece.entry = 'change' and piece.before_currency = piece.currency as is_comparable,
            piece.entry = 'change' and piece.before_product_id <> piece.product_id as is_other_product
    ) change
    cross join lateral (
        values
            (
                piece.starts_at, piece.product_id, piece.currency,
                case when piece.entry = 'change' then 'moved_in' else piece.entry end,
                case when change.is_comparable is not true then piece.gross_units end
            ),
            (
                piece.starts_at, piece.product_id, piece.currency, 'moved_in',
                case when change.is_comparable and change.is_other_product then piece.before_units end
            ),
            (
                piece.starts_at, piece.before_product_id, piece.before_currency, 'moved_out',
                case when change.is_other_product or change.is_comparable is not true then -piece.before_units end
            ),
            (
                piece.starts_at, piece.product_id, piece.currency,
                case when piece.gross_units > piece.before_units then 'expansion' else 'contraction' end,
                case
                    when change.is_comparable and piece.gross_units <> piece.before_units
                        then piece.gross_units - piece.before_units
                end
            ),
            (
                piece.ends_at, piece.product_id, piece.currency,
                case
                    when piece.outcome in ('lapsed', 'paused') then piece.outcome
                    when piece.outcome in ('free', 'replaced') then 'moved_out'
                    else 'churn_' || piece.outcome
                end,
                case when piece.is_last and piece.outcome <> 'open' then -piece.gross_units end
            )
    ) movement (at, product_id, currency, bucket, units)
    where movement.units is not null
$$;

comment on function report.product_periods_as_of is 'The product catalogue''s period lengths that runs sealed by then imported';
comment on function report.calendar_months is 'Whole calendar months between two instants within 26 hours, 28 to 31 days being one; NULL where they are none';
comment on function report.is_plan_length is 'Whether a period is a week or whole months long, within 26 hours; after a change of plan within two';
comment on function report.mrr_pieces_as_of is 'Paid periods with their MRR: price × 1/m for m months, × 30.4375/d for d days, in exact units of 1/scale micros';
comment on function report.mrr_movements_as_of is 'Every change of MRR, each in exactly one bucket, in exact units of 1/scale micros';
