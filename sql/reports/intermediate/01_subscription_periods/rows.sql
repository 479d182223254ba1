-- The subscription periods of the lineages at hand. Grain: see the table.
--
-- A free period is a trial, or one that cost nothing; but what Google Play calls for nothing between a change of plan and
-- the first whole period of the new one was paid for before, and counts as paid; so does what it paid for itself in the
-- customer's place, where the developer gets something for it.
--
-- A period that the App Store extended covers until the later end. The App Store's refund of a period ends it, unless it gave back
-- some of the seats or of the items, sum by sum; one whose seats or items are several rows ends when all of them were taken back. Google
-- Play states an order's period once and then moves the expiry of the whole purchase: for hours, for a grace, by a deferral, or
-- back to the instant of a revocation. There the last expiry that was reported while the period was the newest one counts; a refund
-- alone moves money only.
create temp table new_subscription_periods on commit drop as
with graces as (
    select subscription_key, expires_at, max(grace_expires_at) as ends_at
    from pg_temp.known_changes
    where grace_expires_at > expires_at
    group by subscription_key, expires_at
),

sold as (
    select
        image.*,
        -- Of seats in several rows of a period one may be the only one with the extension.
        case when image.seats is null then greatest(image.period_end, image.extended_until)
            else max(greatest(image.period_end, image.extended_until)) over (
                partition by image.subscription_key, image.product_id, image.period_end, image.seats is not null)
        end as ends_at,
        min(image.period_start) filter (
            where image.environment = 'production'
                and image.ownership = 'purchased'
                and marts.is_paid(
                    image.store, image.kind, image.price_micros, image.proceeds_micros, image.recurring_price_micros)
        ) over (partition by image.lineage_key) as first_paid_at,
        marts.cut_at(image.store, image.refunded_at, image.refund_kind, image.refund_parts, image.seats) as refund_cut_at,
        image.environment = 'production'
            and image.ownership = 'purchased'
            and image.kind not in ('one_time', 'top_up')
            and row_number() over (
                partition by image.subscription_key, image.transaction_id
                order by
                    -- An item that cost nothing bears a sale only where none cost anything: the period was paid for.
                    not subledger.is_refund_money_alone(image.store) and image.price_micros is not distinct from 0,
                    -- Rows of a group's period bear one product: of one that is owned in another row the period is still.
                    marts.cut_at(image.store, image.refunded_at, image.refund_kind, image.refund_parts, image.seats) is not null
                    and (
                        image.seats is null
                        or not exists (
                            select from pg_temp.known_transactions beside
                            where beside.subscription_key = image.subscription_key
                                and beside.product_id = image.product_id
                                and beside.period_end = image.period_end
                                and beside.seats is not null
                                and marts.cut_at(
                                    beside.store, beside.refunded_at, beside.refund_kind, beside.refund_parts, beside.seats
                                ) is null
                        )
                    ),
                    -- Where every item was taken back, the last one is the end of all.
                    case when image.seats is null
                        then marts.cut_at(
                            image.store, image.refunded_at, image.refund_kind, image.refund_parts, image.seats)
                    end desc nulls last,
                    coalesce(image.recurring_price_micros, image.price_micros) desc nulls last,
                    image.product_id collate "C"
            ) = 1
            and not coalesce(
                subledger.has_orders_of_added_products(image.store)
                and image.product_id <> lag(image.product_id) over purchase
                and image.period_start + {rule continuous_gap} < max(image.period_end) over (
                    purchase rows between unbounded preceding and 1 preceding
                ), false
            )
            and not coalesce(
                subledger.has_orders_of_added_products(image.store)
                and image.kind = 'purchase'
                and not image.is_trial_conversion
                and image.period_start + {rule continuous_gap} < max(image.period_end) filter (
                    where image.price_micros > 0
                ) over (
                    partition by image.lineage_key
                    order by
                        image.period_start, image.purchased_at, image.transaction_id collate "C",
                        coalesce(image.recurring_price_micros, image.price_micros) desc nulls last,
                        image.product_id collate "C"
                    rows between unbounded preceding and 1 preceding
                ), false
            ) as is_renewing,
        sum(image.price_micros) over whole_order as order_price_micros,
        case when count(image.tax_micros) over whole_order = count(image.price_micros) over whole_order
            then sum(image.tax_micros) over whole_order
        end as order_tax_micros,
        case when count(image.proceeds_micros) over whole_order = count(image.price_micros) over whole_order
            then sum(image.proceeds_micros) over whole_order
        end as order_proceeds_micros,
        case when count(image.recurring_price_micros) over whole_order > 0
            then sum(coalesce(image.recurring_price_micros, image.price_micros)) over whole_order
        end as order_recurring_price_micros,
        case when image.seats is not null
                and bool_and(
                    marts.cut_at(image.store, image.refunded_at, image.refund_kind, image.refund_parts, image.seats) is not null
                ) over whole_order
            then max(image.refunded_at) over whole_order
        end as order_cut_at,
        -- Of an item that was taken back none is left.
        max(image.seats) over whole_order as order_seats,
        -- Of several items each that cost anything: what one of them was given back is no refund of the whole.
        bool_and(
            image.price_micros is not distinct from 0
            or image.refund_kind is not distinct from 'full'
            or marts.cut_at(image.store, image.refunded_at, image.refund_kind, image.refund_parts, image.seats) is not null
        ) over whole_order
        and bool_or(
            image.refund_kind is not distinct from 'full'
            or marts.cut_at(image.store, image.refunded_at, image.refund_kind, image.refund_parts, image.seats) is not null
        ) over whole_order as is_order_given_back,
        -- NULL where nothing of the order was taken back.
        bool_and(image.refund_kind is not distinct from 'revoke') filter (
            where marts.cut_at(image.store, image.refunded_at, image.refund_kind, image.refund_parts, image.seats) is not null
        ) over whole_order as is_order_revoked,
        jsonb_agg(
            jsonb_build_object(
                'parts', image.refund_parts, 'price', image.price_micros,
                'tax', image.tax_micros, 'proceeds', image.proceeds_micros,
                'cut_at', marts.cut_at(image.store, image.refunded_at, image.refund_kind, image.refund_parts, image.seats))
        ) filter (where image.seats is not null and image.refund_parts is not null) over whole_order as order_refunds
    from pg_temp.known_transactions image
    window purchase as (
        partition by image.subscription_key
        order by
            image.period_start, image.purchased_at, image.transaction_id collate "C",
            coalesce(image.recurring_price_micros, image.price_micros) desc nulls last, image.product_id collate "C"
    ),
    whole_order as (
        partition by image.subscription_key, image.transaction_id, image.environment, image.ownership,
            image.kind in ('one_time', 'top_up')
    )
),

renewing as materialized (
    select
        sold.*,
        lead(sold.period_start) over line as successor_start,
        case when sold.seats is not null then min(sold.period_start) over seats_so_far end as first_starts_at,
        case when sold.seats is not null then first_value(sold.period_end) over seats_so_far else sold.period_end end
            as first_stated_end,
        -- Seats in several rows: the period ends when the last of them is taken back, of each row the last of its items.
        case when sold.seats is null then sold.refund_cut_at
            when bool_and(sold.order_cut_at is not null) over all_seats
                then max(sold.order_cut_at) over all_seats
        end as taken_back_at,
        max(sold.period_start) over all_seats as last_added_at,
        -- Money of one item makes the end of all of them a refund.
        case when sold.seats is null then coalesce(sold.is_order_revoked, sold.refund_kind = 'revoke')
            else bool_and(coalesce(sold.is_order_revoked, false)) over all_seats
        end as is_revoked,
        case when subledger.is_expiry_of_purchase(sold.store)
            then coalesce(min(sold.purchased_at) over later_orders, 'infinity')
        end as next_purchased_at,
        case when subledger.is_expiry_of_purchase(sold.store) then min(sold.period_start) over later_orders end as next_start
    from sold
    where sold.is_renewing
    window line as (
        partition by sold.lineage_key
        order by sold.period_start, sold.purchased_at, sold.transaction_id, sold.product_id
    ),
    seats_so_far as (
        partition by sold.subscription_key, sold.product_id, sold.ends_at, sold.seats is not null
        order by sold.period_start, sold.purchased_at, sold.transaction_id
        rows between unbounded preceding and current row
    ),
    all_seats as (partition by sold.subscription_key, sold.product_id, sold.ends_at, sold.seats is not null),
    later_orders as (
        partition by sold.subscription_key
        order by sold.period_start desc
        groups between unbounded preceding and 1 preceding
    )
),

-- The last word on a Play purchase while each of its orders was the newest one: from its charge to that of an order that begins later.
-- An order may be settled days after its purchase was called renewed: an expiry that lies beyond the beginning of the next order is
-- that order's.
moved as (
    select distinct on (renewing.subscription_key, renewing.transaction_id)
        renewing.subscription_key, renewing.transaction_id, word.expires_at,
        greatest(word.expires_at, change.grace_expires_at) as unpaid_end
    from renewing
    join pg_temp.known_changes change
        on change.subscription_key = renewing.subscription_key
        and change.known_at >= renewing.purchased_at
        and change.known_at < renewing.next_purchased_at
    cross join lateral (
        select case
            when change.expires_at > renewing.next_start + {rule order_overrun} then renewing.next_start
            else change.expires_at end as expires_at
    ) word
    where change.expires_at is not null
    order by renewing.subscription_key, renewing.transaction_id, change.is_carried desc, change.change_id desc
),

ended as (
    select
        renewing.*,
        case
            when renewing.seats is null
                then least(renewing.taken_back_at, case when renewing.is_upgraded then renewing.successor_start end)
            -- Seats in several rows end together: when the last of them is taken back, or the successor of one begins.
            else least(
                renewing.taken_back_at,
                case when bool_or(renewing.is_upgraded) over all_seats
                    then max(renewing.successor_start)
                        filter (where renewing.successor_start > renewing.last_added_at) over all_seats
                end)
        end as cut_at,
        coalesce(moved.expires_at, renewing.ends_at) as expiry,
        coalesce(moved.unpaid_end, grace.ends_at, renewing.ends_at) as unpaid_end,
        case
            when renewing.taken_back_at < renewing.ends_at
                then case when renewing.is_revoked then 'revoke' else 'refund' end
        end as ended_by
    from renewing
    left join moved
        on moved.subscription_key = renewing.subscription_key and moved.transaction_id = renewing.transaction_id
    left join graces grace
        on grace.subscription_key = renewing.subscription_key and grace.expires_at = renewing.ends_at
    window all_seats as (
        partition by renewing.subscription_key, renewing.product_id, renewing.ends_at, renewing.seats is not null
    )
)

select
    lineage_key,
    row_number() over (
        partition by lineage_key order by starts_at, purchased_at, transaction_id, product_id
    ) as place,
    subscription_key, transaction_id, product_id, base_plan_id, app_id, store, country, kind,
    marts.is_paid(store, kind, price_micros, order_proceeds_micros, order_recurring_price_micros) as is_paid,
    marts.is_trial(kind, offer_type, period_start, first_paid_at) as is_trial,
    case when subledger.is_refund_money_alone(store) then refunded_at is not null else is_order_given_back end as is_refunded,
    -- Money of what is still owned cuts nothing short.
    case
        when subledger.is_refund_money_alone(store) and refunded_at is not null then true
        when ended.seats is null then refund_cut_at is not null
        else order_cut_at is not null
    end
        and (ended_by is not null or least(expiry, cut_at) < first_stated_end) as is_cut_short,
    purchased_at, starts_at, least(expiry, cut_at) as declared_end, least(unpaid_end, cut_at) as covered_until,
    ended_by, first_stated_end as period_end, offer_type,
    worth_micros::bigint as price_micros, worth_tax_micros::bigint as tax_micros,
    worth_proceeds_micros::bigint as proceeds_micros,
    order_recurring_price_micros::bigint as recurring_price_micros, currency, first_starts_at, piece.seats
from ended
-- Seats that were given back while the period went on, some of a row or all of it: from then on it is worth so much less; what an item
-- that is still owned lost is money alone. A row that is taken back whole loses what it still is worth, however much of its price is
-- given back.
cross join lateral (
    select
        ended.period_start as starts_at, ended.order_price_micros as worth_micros, ended.order_tax_micros as worth_tax_micros,
        ended.order_proceeds_micros as worth_proceeds_micros, ended.order_seats as seats
    union all
    select lost.at, sum(lost.micros), sum(lost.tax), sum(lost.proceeds), 0
    from (
        -- Some of them: what was given back for them, which is gone already when the rest of the row is taken back.
        select
            moment.at, moment.sign * refund.micros as micros,
            moment.sign * coalesce(refund.tax, subledger.share_of(item.tax, refund.micros, item.price)) as tax,
            moment.sign * subledger.share_of(item.proceeds, refund.micros, item.price) as proceeds
        from jsonb_to_recordset(ended.order_refunds) as item (
            parts jsonb, price bigint, tax bigint, proceeds bigint, cut_at timestamptz
        )
        cross join lateral marts.given_back_for_seats(item.parts) refund
        cross join lateral (values (refund.at, -1), (ended.order_cut_at, 1)) as moment (at, sign)
        -- What is given back with an item that is taken back moves money only, while others of the row are still owned.
        where refund.at > ended.period_start and (refund.at < item.cut_at) is not false
        union all
        select ended.order_cut_at, -ended.order_price_micros, -ended.order_tax_micros, -ended.order_proceeds_micros
    ) lost
    where (ended.order_refunds is not null or ended.order_cut_at is not null)
        and lost.at > ended.period_start
        and lost.at < least(ended.unpaid_end, ended.cut_at)
        -- The next period has seats of its own.
        and not exists (
            select from pg_temp.known_transactions following
            where following.subscription_key = ended.subscription_key
                and following.environment = 'production'
                and following.ownership = 'purchased'
                and following.kind not in ('one_time', 'top_up')
                and following.period_start > ended.period_start
                and following.period_start <= lost.at
                and following.period_end > ended.ends_at
        )
    group by lost.at
) piece
where least(unpaid_end, cut_at) > period_start;

create index on pg_temp.new_subscription_periods (lineage_key, place);
analyze pg_temp.new_subscription_periods;
