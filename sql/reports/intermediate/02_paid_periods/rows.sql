-- The paid periods of the lineages at hand: their MRR, how each came to be paid, and what its renewal is expected to cost.
-- Grain: see the table. Segments, endings and plan lengths are the files before this one.
--
-- What Google Play sells at the plan's recurring price is worth that price; the store reports neither the tax in it nor its proceeds.
--
-- An order of several products counts with all of its money under its dearest product. Seats that were added to a group are
-- worth what all so far are together.
create temp table new_paid_periods on commit drop as
-- What the store last said of a period's renewal; what it says of a later one is about another charge.
with stated_renewals as (
    select distinct on (period.lineage_key, period.place)
        period.lineage_key, period.place, change.renewal_price_micros, change.renewal_currency
    from pg_temp.paid_segments period
    join pg_temp.known_changes change
        on change.subscription_key = period.subscription_key
        and change.expires_at = period.declared_end
    order by period.lineage_key, period.place, change.is_carried desc, change.change_id desc
),

prices as (
    select
        period.*, length.months, length.days, length.is_at_recurring_price, ending.outcome,
        coalesce(period.next_paid_at, ending.ends_at) as ends_at,
        case when length.is_at_recurring_price then period.recurring_price_micros else period.price_micros end as worth_micros
    from pg_temp.paid_segments period
    join pg_temp.sold_lengths length on length.lineage_key = period.lineage_key and length.place = period.place
    left join pg_temp.segment_endings ending
        on ending.lineage_key = period.lineage_key
        and ending.segment_no = period.segment_no
        and period.is_last
),

factors as (
    select
        prices.*,
        not is_at_recurring_price or worth_micros = price_micros as is_as_charged,
        case when months > 0 then 1000 else 487 * 1000 end::numeric as numerator,
        case when months > 0 then months else 16 * days end::numeric as denominator
    from prices
    offset 0
),

monthly_shares as (
    select
        factors.*,
        worth_micros * numerator as gross_part,
        case when is_as_charged then (price_micros - tax_micros) * numerator end as net_part,
        case when is_as_charged then proceeds_micros * numerator end as proceeds_part
    from factors
    offset 0
),

mrr as (
    select
        monthly_shares.*,
        marts.nearest(gross_part, denominator) as own_nanos,
        marts.nearest(net_part, denominator) as own_net_nanos,
        marts.nearest(proceeds_part, denominator) as own_proceeds_nanos
    from monthly_shares
),

-- Each period at the rate of its own purchase.
reporting_mrr as (
    select
        mrr.*, coalesce(recurring_price_micros, price_micros) as own_renewal_micros,
        marts.nearest(own_nanos * rate.numerator, rate.denominator) as own_reporting_nanos,
        marts.nearest(own_net_nanos * rate.numerator, rate.denominator) as own_net_reporting_nanos,
        marts.nearest(own_proceeds_nanos * rate.numerator, rate.denominator) as own_proceeds_reporting_nanos,
        marts.converted(coalesce(recurring_price_micros, price_micros), rate.numerator, rate.denominator)
            as own_renewal_reporting_micros
    from mrr
    left join pg_temp.purchase_rates rate
        on rate.currency = mrr.currency
        and rate.purchase_day = (mrr.purchased_at at time zone 'UTC')::date
),

-- Seats that were added to a group are worth what all so far are together; only such periods are sorted.
seats_mrr as (
    select
        reporting_mrr.*,
        own_nanos::bigint as nanos,
        own_net_nanos::bigint as net_nanos,
        own_proceeds_nanos::bigint as proceeds_nanos,
        own_reporting_nanos::bigint as reporting_nanos,
        own_net_reporting_nanos::bigint as net_reporting_nanos,
        own_proceeds_reporting_nanos::bigint as proceeds_reporting_nanos,
        own_renewal_micros::bigint as renewal_micros,
        own_renewal_reporting_micros as renewal_reporting_micros,
        null::bigint as seat_count
    from reporting_mrr
    where first_starts_at is null
    union all
    select
        reporting_mrr.*,
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
        (sum(seats) over seats_so_far)::bigint as seat_count
    from reporting_mrr
    where first_starts_at is not null
    window seats_so_far as (
        partition by lineage_key, subscription_key, product_id, first_starts_at
        order by starts_at, purchased_at, transaction_id
        rows between unbounded preceding and current row
    )
),

tenures as (
    select
        seats_mrr.*,
        row_number() over line as number,
        lag(product_id) over line as before_product_id,
        lag(currency) over line as before_currency,
        lag(nanos) over line as before_nanos,
        lag(reporting_nanos) over line as before_reporting_nanos,
        lag(outcome) over line as before_outcome,
        coalesce(first_starts_at < starts_at, false) as is_added_seats,
        count(*) filter (where first_starts_at is null or first_starts_at >= starts_at) over line as payments
    from seats_mrr
    window line as (partition by lineage_key order by place)
),

entries as (
    select
        tenures.*,
        case
            when not is_first then 'change'
            when number = 1 and kind = 'purchase' then 'new'
            when number = 1 then 'imported'
            when before_outcome in ('lapsed', 'paused') then 'recovery'
            when before_outcome in ('free', 'replaced') then 'moved_in'
            else 'reactivation'
        end as entry
    from tenures
),

-- A whole period of the plan, listed on the order of the rest of another, is the store's word, too, and has the tax in it.
renewals as (
    select
        entries.*, renewal.is_stated,
        case when renewal.is_stated or entries.recurring_price_micros is not null then 'store' else 'paid' end as renewal_source,
        case
            when renewal.is_stated then stated.renewal_currency
            when entries.nanos is not null then entries.currency
        end as renewal_currency,
        case when renewal.is_stated then stated.renewal_price_micros else entries.renewal_micros end as expected_micros,
        case
            when renewal.is_stated
                then marts.converted(stated.renewal_price_micros, rate.numerator, rate.denominator)
            else entries.renewal_reporting_micros
        end as expected_reporting_micros
    from entries
    left join stated_renewals stated on stated.lineage_key = entries.lineage_key and stated.place = entries.place
    cross join lateral (
        select stated.renewal_price_micros is not null and entries.recurring_price_micros is null as is_stated
    ) renewal
    left join pg_temp.purchase_rates rate
        on renewal.is_stated
        and rate.currency = stated.renewal_currency
        and rate.purchase_day = (entries.purchased_at at time zone 'UTC')::date
)

select
    lineage_key, place, segment_no, subscription_key, transaction_id, product_id, base_plan_id, app_id, store, country, kind,
    entry, outcome, is_last, is_refunded, is_added_seats, purchased_at, starts_at, ends_at, declared_end,
    is_cut_short,
    marts.day_of(starts_at, store, scope.time_zone) as start_day,
    marts.day_of(ends_at, store, scope.time_zone) as end_day,
    marts.day_of(segment_starts_at, store, scope.time_zone) as segment_start_day,
    marts.day_of(declared_end, store, scope.time_zone) as declared_end_day,
    marts.day_of(segment_ends_at, store, scope.time_zone) as paid_until_day,
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
    seat_count as seats, renewal_source, renewal_currency
from renewals
cross join pg_temp.report_scope scope
window line as (partition by lineage_key order by place);

create index on pg_temp.new_paid_periods (lineage_key, place);
analyze pg_temp.new_paid_periods;

drop table pg_temp.paid_segments, pg_temp.segment_endings, pg_temp.sold_lengths;
