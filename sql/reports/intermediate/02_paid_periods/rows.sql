-- The paid periods of the lineages at hand. Grain: see the table.
--
-- Segments: a gap of up to 24 hours is bridged: the earlier period reaches to the later one. Where periods overlap, the one
-- that started last is the current one.
--
-- Length: that which the period was sold for (subledger.length_sold), by the catalogue of the day of the purchase. A period that is
-- of no plan's length was made longer by what a change of plan left over: the catalogue's length is what its price is for.
--
-- The rest of a period that Google Play sells for what a change of plan left over is worth the plan's recurring price, as
-- listed, by the length the catalogue gives the plan; the store reports neither the tax in it nor its proceeds. Where the
-- catalogue does not know the plan, its own dates are those of the rest: they go with what was charged.
--
-- An order of several products counts with all of its money under its dearest product. Seats that were added to a group are
-- worth what all so far are together.
create temp table new_paid_periods on commit drop as
with in_line as (
    select
        period.*,
        lead(period.subscription_key) over line as next_subscription_key,
        lead(period.starts_at) over line as next_starts_at,
        lead(period.kind) over line as next_kind,
        lead(period.is_paid) over line as next_is_paid,
        max(period.covered_until) filter (where period.is_paid) over (
            line rows between unbounded preceding and 1 preceding
        ) as paid_until
    from pg_temp.new_subscription_periods period
    window line as (partition by period.lineage_key order by period.place)
),

numbered as (
    select
        paid.*,
        count(*) filter (
            where paid.paid_until is null or paid.starts_at > paid.paid_until + interval '24 hours'
        ) over (partition by paid.lineage_key order by paid.place) as segment_no
    from in_line paid
    where paid.is_paid
),

pieces as materialized (
    select
        piece.*,
        lead(piece.starts_at) over segment as next_piece_at,
        lead(piece.starts_at) over segment is null as is_last,
        row_number() over segment = 1 as is_first,
        min(piece.starts_at) over whole as segment_starts_at,
        max(piece.covered_until) over whole as segment_ends_at
    from numbered piece
    window whole as (partition by piece.lineage_key, piece.segment_no),
        segment as (partition by piece.lineage_key, piece.segment_no order by piece.place)
),

-- Where a bundle includes the purchase that a segment ended with, before it is paid for again by itself.
bundled as (
    select piece.lineage_key, piece.segment_no, min(image.period_start) as starts_at
    from pieces piece
    join pg_temp.known_transactions image on image.subscription_key = piece.subscription_key
    where piece.is_last
        and image.environment = 'production'
        and image.bundle_transaction_id is not null
        and image.period_start > piece.starts_at
        and image.period_start < coalesce(piece.next_starts_at, 'infinity')
    group by piece.lineage_key, piece.segment_no
),

-- What the store said of the purchase that a segment ended with, and between its end and the next period.
heard as (
    select
        piece.lineage_key, piece.segment_no,
        (array_agg(change.state order by change.change_id desc))[1] as last_state,
        (array_agg(change.end_reason order by change.change_id desc))[1] as last_reason,
        (array_agg(coalesce(change.end_reason, 'unknown') order by change.change_id desc) filter (
            where change.state in ('expired', 'revoked') and meanwhile
        ))[1] as reason_meanwhile,
        bool_or(change.state in ('grace', 'billing_retry') and meanwhile) as awaited_meanwhile,
        bool_or(change.state = 'paused' and meanwhile) as paused_meanwhile
    from pieces piece
    join pg_temp.known_changes change on change.subscription_key = piece.subscription_key
    left join bundled on bundled.lineage_key = piece.lineage_key and bundled.segment_no = piece.segment_no
    cross join lateral (
        select change.known_at >= piece.declared_end
            and change.known_at < coalesce(bundled.starts_at, piece.next_starts_at) as meanwhile
    ) time
    where piece.is_last and change.state <> 'unreachable'
    group by piece.lineage_key, piece.segment_no
),

ended as (
    select
        piece.*,
        bundled.starts_at as bundled_at,
        case
            when not piece.is_last then null
            -- It gave way to a bundle: nobody left. What is given back of it afterwards moves money only.
            when bundled.starts_at
                <= piece.segment_ends_at + case when piece.ended_by = 'revoke' then interval '24 hours' else interval '0' end
                then 'replaced'
            when (piece.ended_by = 'revoke' or piece.ended_by is not null and piece.first_starts_at is not null)
                and coalesce(heard.reason_meanwhile, case when piece.next_starts_at is null then heard.last_reason end)
                    = 'replaced'
                then 'replaced'
            when piece.ended_by is not null then piece.ended_by
            when bundled.starts_at <= piece.segment_ends_at + interval '24 hours' then 'replaced'
            when bundled.starts_at is not null then case
                when heard.reason_meanwhile is not null then heard.reason_meanwhile
                when heard.awaited_meanwhile then 'lapsed'
                when heard.paused_meanwhile then 'paused'
                else 'other'
            end
            when piece.next_starts_at is null then case
                when heard.last_state in ('expired', 'revoked') then coalesce(heard.last_reason, 'unknown')
                when heard.last_state = 'billing_retry' then 'lapsed'
                when heard.last_state = 'paused' then 'paused'
                else 'open'
            end
            when heard.reason_meanwhile is not null then heard.reason_meanwhile
            when not piece.next_is_paid
                and piece.next_starts_at <= piece.segment_ends_at + interval '24 hours' then 'free'
            when heard.awaited_meanwhile then 'lapsed'
            when heard.paused_meanwhile then 'paused'
            when piece.next_kind = 'renewal' then 'lapsed'
            -- This purchase ended for good and another one continues the lineage: the reason it ended for counts, also
            -- where that was recorded after the other one had begun.
            when piece.next_subscription_key <> piece.subscription_key and heard.last_state in ('expired', 'revoked')
                then coalesce(heard.last_reason, 'unknown')
            else 'other'
        end as ended_as
    from pieces piece
    left join heard on heard.lineage_key = piece.lineage_key and heard.segment_no = piece.segment_no
    left join bundled on bundled.lineage_key = piece.lineage_key and bundled.segment_no = piece.segment_no
),

-- What the store last said of a period's renewal; what it says of a later one is about another charge.
stated_renewals as (
    select distinct on (piece.lineage_key, piece.place)
        piece.lineage_key, piece.place, change.renewal_price_micros, change.renewal_currency
    from pieces piece
    join pg_temp.known_changes change
        on change.subscription_key = piece.subscription_key
        and change.expires_at = piece.declared_end
    order by piece.lineage_key, piece.place, change.change_id desc
),

lengths as materialized (
    select length.* from pg_temp.report_scope scope cross join lateral report.plan_lengths(scope.seal) length
),

catalogued as (
    select
        ended.*,
        plan.app_id is not null as is_of_plan,
        case when plan.app_id is null then product.months else plan.months end as catalogue_months,
        case when plan.app_id is null then product.days else plan.days end as catalogue_days
    from ended
    left join lengths plan
        on plan.app_id = ended.app_id
        and plan.product_id = ended.product_id
        and plan.base_plan_id = ended.base_plan_id
        and (ended.purchased_at at time zone 'UTC')::date >= plan.valid_from
        and (ended.purchased_at at time zone 'UTC')::date < plan.valid_until
    left join lengths product
        on product.app_id = ended.app_id
        and product.product_id = ended.product_id
        and product.base_plan_id = ''
        and (ended.purchased_at at time zone 'UTC')::date >= product.valid_from
        and (ended.purchased_at at time zone 'UTC')::date < product.valid_until
    offset 0
),

measured as (
    select
        catalogued.*, length.months, length.days, recurring.is_at_recurring_price,
        case when recurring.is_at_recurring_price then recurring_price_micros else price_micros end as worth_micros
    from catalogued
    cross join lateral (
        select recurring_price_micros is not null and coalesce(catalogue_months, catalogue_days) is not null
            as is_at_recurring_price
    ) recurring
    cross join lateral subledger.length_sold(
        store, kind, offer_type is not null, base_plan_id, recurring_price_micros is not null, coalesce(first_starts_at, starts_at),
        period_end,
        catalogue_months, catalogue_days, is_of_plan
    ) length
),

factored as (
    select
        measured.*,
        not is_at_recurring_price or worth_micros = price_micros as is_as_charged,
        case when months > 0 then 1000 else 487 * 1000 end::numeric as numerator,
        case when months > 0 then months else 16 * days end::numeric as denominator
    from measured
    offset 0
),

multiplied as (
    select
        factored.*,
        worth_micros * numerator as gross_part,
        case when is_as_charged then (price_micros - tax_micros) * numerator end as net_part,
        case when is_as_charged then proceeds_micros * numerator end as proceeds_part
    from factored
    offset 0
),

valued as (
    select
        multiplied.*,
        report.nearest(gross_part, denominator) as own_nanos,
        report.nearest(net_part, denominator) as own_net_nanos,
        report.nearest(proceeds_part, denominator) as own_proceeds_nanos
    from multiplied
),

-- Each period at the rate of its own purchase.
converted as (
    select
        valued.*, coalesce(recurring_price_micros, price_micros) as own_renewal_micros,
        report.nearest(own_nanos * rate.numerator, rate.denominator) as own_reporting_nanos,
        report.nearest(own_net_nanos * rate.numerator, rate.denominator) as own_net_reporting_nanos,
        report.nearest(own_proceeds_nanos * rate.numerator, rate.denominator) as own_proceeds_reporting_nanos,
        report.converted(coalesce(recurring_price_micros, price_micros), rate.numerator, rate.denominator)
            as own_renewal_reporting_micros
    from valued
    left join pg_temp.purchase_rates rate
        on rate.currency = valued.currency
        and rate.purchase_day = (valued.purchased_at at time zone 'UTC')::date
),

-- Seats that were added to a group are worth what all so far are together; nobody else is sorted for it.
together as (
    select
        converted.*,
        own_nanos::bigint as nanos,
        own_net_nanos::bigint as net_nanos,
        own_proceeds_nanos::bigint as proceeds_nanos,
        own_reporting_nanos::bigint as reporting_nanos,
        own_net_reporting_nanos::bigint as net_reporting_nanos,
        own_proceeds_reporting_nanos::bigint as proceeds_reporting_nanos,
        own_renewal_micros::bigint as renewal_micros,
        own_renewal_reporting_micros as renewal_reporting_micros,
        null::bigint as seats_held
    from converted
    where first_starts_at is null
    union all
    select
        converted.*,
        case when count(own_nanos) over seats_so_far = count(*) over seats_so_far
            then sum(own_nanos) over seats_so_far end::bigint as nanos,
        case when count(own_net_nanos) over seats_so_far = count(*) over seats_so_far
            then sum(own_net_nanos) over seats_so_far end::bigint as net_nanos,
        case when count(own_proceeds_nanos) over seats_so_far = count(*) over seats_so_far
            then sum(own_proceeds_nanos) over seats_so_far end::bigint as proceeds_nanos,
        case when count(own_reporting_nanos) over seats_so_far = count(*) over seats_so_far
            then sum(own_reporting_nanos) over seats_so_far end::bigint as reporting_nanos,
        case when count(own_net_reporting_nanos) over seats_so_far = count(*) over seats_so_far
            then sum(own_net_reporting_nanos) over seats_so_far end::bigint as net_reporting_nanos,
        case when count(own_proceeds_reporting_nanos) over seats_so_far = count(*) over seats_so_far
            then sum(own_proceeds_reporting_nanos) over seats_so_far end::bigint as proceeds_reporting_nanos,
        case when count(own_renewal_micros) over seats_so_far = count(*) over seats_so_far
            then sum(own_renewal_micros) over seats_so_far end::bigint as renewal_micros,
        case when count(own_renewal_reporting_micros) over seats_so_far = count(*) over seats_so_far
            then sum(own_renewal_reporting_micros) over seats_so_far end as renewal_reporting_micros,
        (sum(seats) over seats_so_far)::bigint as seats_held
    from converted
    where first_starts_at is not null
    window seats_so_far as (
        partition by lineage_key, subscription_key, product_id, first_starts_at
        order by starts_at, purchased_at, transaction_id
        rows between unbounded preceding and current row
    )
),

entered as (
    select
        together.*,
        case when ended_as in ('developer', 'revoke', 'unknown') then 'other' else ended_as end as outcome,
        case when ended_as = 'open' then 'infinity' else coalesce(next_piece_at, least(segment_ends_at, bundled_at)) end as ends_at,
        row_number() over line as number,
        lag(product_id) over line as before_product_id,
        lag(currency) over line as before_currency,
        lag(nanos) over line as before_nanos,
        lag(reporting_nanos) over line as before_reporting_nanos,
        lag(ended_as) over line as before_ended_as,
        coalesce(first_starts_at < starts_at, false) as is_added_seats,
        count(*) filter (where first_starts_at is null or first_starts_at >= starts_at) over line as payments
    from together
    window line as (partition by lineage_key order by place)
),

named as (
    select
        entered.*,
        case
            when not is_first then 'change'
            when number = 1 and kind = 'purchase' then 'new'
            when number = 1 then 'imported'
            when before_ended_as in ('lapsed', 'paused') then 'recovery'
            when before_ended_as in ('free', 'replaced') then 'moved_in'
            else 'reactivation'
        end as entry
    from entered
),

-- A whole period of the plan, listed on the order of the rest of another, is the store's word, too, and has the tax in it.
renewing as (
    select
        named.*, renewal.is_stated,
        case when renewal.is_stated or named.recurring_price_micros is not null then 'store' else 'paid' end as renewal_source,
        case
            when renewal.is_stated then stated.renewal_currency
            when named.nanos is not null then named.currency
        end as renewal_currency,
        case when renewal.is_stated then stated.renewal_price_micros else named.renewal_micros end as expected_micros,
        case
            when renewal.is_stated
                then report.converted(stated.renewal_price_micros, rate.numerator, rate.denominator)
            else named.renewal_reporting_micros
        end as expected_reporting_micros
    from named
    left join stated_renewals stated on stated.lineage_key = named.lineage_key and stated.place = named.place
    cross join lateral (
        select stated.renewal_price_micros is not null and named.recurring_price_micros is null as is_stated
    ) renewal
    left join pg_temp.purchase_rates rate
        on renewal.is_stated
        and rate.currency = stated.renewal_currency
        and rate.purchase_day = (named.purchased_at at time zone 'UTC')::date
)

select
    lineage_key, place, segment_no, subscription_key, transaction_id, product_id, base_plan_id, app_id, store, country, kind,
    entry, outcome, is_last, is_refunded, is_added_seats, purchased_at, starts_at, ends_at, declared_end,
    is_refunded and (ended_by is not null or declared_end < period_end) as is_cut_short,
    report.day_of(starts_at, store, scope.time_zone) as start_day,
    report.day_of(ends_at, store, scope.time_zone) as end_day,
    report.day_of(segment_starts_at, store, scope.time_zone) as segment_start_day,
    report.day_of(declared_end, store, scope.time_zone) as declared_end_day,
    report.day_of(segment_ends_at, store, scope.time_zone) as paid_until_day,
    (subscription_key, transaction_id, product_id) in (
        select year.subscription_key, year.transaction_id, year.product_id from pg_temp.years_paid year
    ) as has_paid_a_year,
    case when nanos is not null then currency end as currency,
    nanos as mrr_nanos, net_nanos as mrr_net_nanos, proceeds_nanos as mrr_proceeds_nanos,
    case when not is_first then before_product_id end as previous_product_id,
    case when not is_first and before_nanos is not null then before_currency end as previous_currency,
    case when not is_first then before_nanos end as previous_mrr_nanos,
    reporting_nanos as mrr_reporting_nanos, net_reporting_nanos as mrr_net_reporting_nanos,
    proceeds_reporting_nanos as mrr_proceeds_reporting_nanos,
    case when not is_first then before_reporting_nanos end as previous_mrr_reporting_nanos,
    expected_micros as renewal_micros, expected_reporting_micros as renewal_reporting_micros,
    payments - max(payments) filter (where entry in ('new', 'imported', 'reactivation')) over line + 1 as tenure,
    case
        when bool_or(entry = 'reactivation') over line then 'returning'
        else first_value(entry) over line
    end as customer,
    seats_held as seats, renewal_source, renewal_currency
from renewing
cross join pg_temp.report_scope scope
window line as (partition by lineage_key order by place);

create index on pg_temp.new_paid_periods (lineage_key, place);
analyze pg_temp.new_paid_periods;
