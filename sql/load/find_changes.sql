-- The staged rows that change something, each with what it replaces; an unchanged night finds none.
-- Grain: one row per changed transaction. An older source version never overwrites a newer one, and an answer that is
-- equal but for its signing time changes nothing. A row seen in the answer of another subscription (a glimpse) was
-- placed without the history of its own: what we hold of its place in the line stays, and a period that is held under
-- another id stays under that one. A price that the answer lacks is the one the store told before, else the price list's
-- for the day of the purchase, else what was booked from it. $1 run, $2 chunk
with sent as (
    select distinct on (subscription_key, transaction_id, product_id) *
    from subledger.stage_transactions
    where run_id = $1::bigint and chunk_no = $2::integer
    order by subscription_key, transaction_id, product_id, is_glimpse, source_version desc
),

placed as (
    select
        sent.*,
        subscription.lineage_key as placed_lineage,
        money.price_micros as placed_price,
        money.currency as placed_currency,
        money.price_source as placed_source,
        case
            when sent.refund_micros is not null or money.origin = 'answer' then sent.refund_micros
            when sent.refund_kind = 'full' then money.price_micros
            when sent.refunded_at = held.refunded_at then held.refund_micros
        end as placed_refund,
        case
            when sent.refund_micros is not null or money.origin = 'answer' then sent.refund_source
            when sent.refund_kind = 'full' and held.refund_micros = money.price_micros
                then coalesce(held.refund_source, 'derived')
            when sent.refund_kind = 'full' then 'derived'
            when sent.refunded_at = held.refunded_at then held.refund_source
        end as placed_refund_source,
        -- What the store said of a charge first stands: later answers may be short of what was given back since.
        case when held.price_micros = money.price_micros and held.currency = money.currency
            then coalesce(held.tax_micros, sent.tax_micros) else sent.tax_micros end as placed_tax,
        case when held.price_micros = money.price_micros and held.currency = money.currency
            then coalesce(held.proceeds_micros, sent.proceeds_micros) else sent.proceeds_micros end as placed_proceeds,
        case when held.currency = money.currency
            then coalesce(held.recurring_price_micros, sent.recurring_price_micros)
            else sent.recurring_price_micros end as placed_recurring,
        coalesce(sent.base_plan_id, held.base_plan_id) as placed_plan,
        -- Whether a purchase was cut short by the one that replaced it, or goes on under it, that one tells; until we know
        -- it, the purchase's own answer counts.
        case when sent.tells_upgrade or successor.is_unknown then sent.is_upgraded
            else coalesce(held.is_upgraded, sent.is_upgraded) end as placed_upgraded,
        case when sent.is_glimpse then coalesce(held.kind, sent.kind) else sent.kind end as placed_kind,
        case when sent.is_glimpse then coalesce(held.is_trial_conversion, sent.is_trial_conversion)
            else sent.is_trial_conversion end as placed_conversion
    from sent
    left join subledger.subscriptions subscription on subscription.subscription_key = sent.subscription_key
    left join subledger.transactions held
        on held.subscription_key = sent.subscription_key
        and held.transaction_id = sent.transaction_id
        and held.product_id = sent.product_id
    cross join lateral (
        select not exists (
            select from subledger.lineage_links link where link.linked_subscription_key = sent.subscription_key
        ) as is_unknown
    ) successor
    left join lateral subledger.list_price(
        sent.app_id, sent.product_id, coalesce(sent.base_plan_id, held.base_plan_id), sent.country, sent.purchased_at
    ) listed
        on sent.price_micros is null
        and subledger.is_list_priced(
            sent.environment, sent.ownership, sent.kind, sent.offer_type, sent.refund_kind, sent.refund_micros)
    cross join lateral (
        select case
            when sent.price_micros is not null then 'answer'
            when held.price_source in ('store_order', 'store_price') then 'held'
            when listed.price_micros is not null then 'list'
            when held.price_source = 'price_list' then 'held'
            else 'answer'
        end as origin
    ) priced
    cross join lateral (
        select
            priced.origin,
            case priced.origin when 'held' then held.price_micros when 'list' then listed.price_micros * sent.quantity
                else sent.price_micros end as price_micros,
            case priced.origin when 'held' then held.currency when 'list' then listed.currency
                else sent.currency end as currency,
            case priced.origin when 'held' then held.price_source when 'list' then 'price_list'
                else sent.price_source end as price_source
    ) money
    where not sent.is_glimpse
        or not exists (
            select
            from subledger.transactions restored
            where restored.subscription_key = sent.subscription_key
                and restored.period_key = sent.period_key
                and restored.product_id = sent.product_id
                and restored.transaction_id <> sent.transaction_id
        )
),

changed as (
    select
        staged.run_id,
        staged.chunk_no,
        staged.answer_hash,
        staged.is_glimpse,
        held.subscription_key is null as is_new,
        coalesce(subledger.bookable_micros(held.environment, held.ownership, held.kind, held.price_micros), 0)
            as old_amount_micros,
        held.currency as old_currency,
        coalesce(subledger.bookable_micros(held.environment, held.ownership, held.kind, held.refund_micros), 0)
            as old_refund_micros,
        held.refunded_at as old_refunded_at,
        held.tax_micros as old_tax_micros,
        held.proceeds_micros as old_proceeds_micros,
        held.refund_parts as old_refund_parts,
        subledger.bookable_micros(staged.environment, staged.ownership, staged.placed_kind, staged.placed_price)
            as amount_micros,
        subledger.bookable_micros(staged.environment, staged.ownership, staged.placed_kind, staged.placed_refund)
            as booked_refund_micros,
        staged.placed_tax,
        staged.placed_proceeds,
        case when staged.placed_proceeds is null then 'missing' else 'store_order' end as proceeds_source,
        staged.placed_recurring,
        staged.refund_parts,
        staged.seats, staged.placed_refund_source,
        staged.subscription_key, staged.transaction_id, staged.product_id,
        coalesce(staged.placed_lineage, staged.lineage_key) as placed_lineage, staged.app_id,
        staged.store, staged.environment, staged.original_transaction_id, staged.period_key,
        staged.subscription_group, staged.placed_plan, staged.placed_kind, staged.placed_conversion, staged.offer_type,
        staged.offer_id,
        staged.ownership, staged.quantity, staged.country, staged.purchased_at, staged.period_start,
        staged.period_end, staged.placed_price, staged.placed_currency, staged.placed_source,
        staged.store_discount_micros, staged.refunded_at, staged.refund_kind, staged.refund_reason,
        staged.placed_refund, staged.placed_upgraded, staged.source_version
    from placed staged
    left join subledger.transactions held
        on held.subscription_key = staged.subscription_key
        and held.transaction_id = staged.transaction_id
        and held.product_id = staged.product_id
    where held.subscription_key is null
        or (
            staged.source_version >= held.source_version
            and (
                coalesce(staged.placed_lineage, staged.lineage_key), staged.app_id, staged.store, staged.environment,
                staged.original_transaction_id, staged.period_key, staged.subscription_group,
                staged.placed_plan, staged.placed_kind, staged.placed_conversion,
                staged.offer_type, staged.offer_id, staged.ownership, staged.quantity, staged.country,
                staged.purchased_at, staged.period_start, staged.period_end, staged.placed_price, staged.placed_currency,
                staged.placed_source, staged.placed_tax, staged.placed_proceeds, staged.placed_recurring,
                staged.store_discount_micros, staged.refunded_at, staged.refund_kind, staged.refund_reason,
                staged.placed_refund, staged.refund_parts, staged.placed_upgraded,
                staged.seats, coalesce(staged.placed_refund_source, 'none')
            ) is distinct from (
                held.lineage_key, held.app_id, held.store, held.environment, held.original_transaction_id,
                held.period_key, held.subscription_group, held.base_plan_id, held.kind, held.is_trial_conversion, held.offer_type,
                held.offer_id, held.ownership, held.quantity, held.country, held.purchased_at, held.period_start,
                held.period_end, held.price_micros, held.currency, held.price_source, held.tax_micros,
                held.proceeds_micros, held.recurring_price_micros,
                held.store_discount_micros, held.refunded_at, held.refund_kind, held.refund_reason, held.refund_micros,
                held.refund_parts, held.is_upgraded,
                -- Rows of before the column say nothing of it: that alone is no change.
                held.seats, coalesce(held.refund_source, staged.placed_refund_source, 'none')
            )
        )
),

-- What the ledger holds of them, as they were found.
standing as (
    select entry.subscription_key, entry.transaction_id, entry.product_id, max(entry.seq) as last_seq,
        max(entry.seq) filter (
            where entry.kind = 'charge' or (entry.kind = 'correction' and entry.amount_micros > 0)) as charge_seq
    from changed
    join subledger.ledger_entries entry
        on entry.subscription_key = changed.subscription_key
        and entry.transaction_id = changed.transaction_id
        and entry.product_id = changed.product_id
    group by entry.subscription_key, entry.transaction_id, entry.product_id
)

insert into subledger.stage_changes (
    run_id, chunk_no, answer_hash, is_glimpse, is_new, old_amount_micros, old_currency, old_refund_micros, old_refunded_at,
    old_tax_micros, old_proceeds_micros, old_refund_parts, amount_micros, booked_refund_micros, tax_micros,
    proceeds_micros, proceeds_source, recurring_price_micros, refund_parts,
    seats, refund_source,
    subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment,
    original_transaction_id, period_key, subscription_group, base_plan_id, kind, is_trial_conversion, offer_type, offer_id,
    ownership, quantity, country, purchased_at, period_start, period_end, price_micros, currency, price_source,
    store_discount_micros, refunded_at, refund_kind, refund_reason, refund_micros, is_upgraded, source_version, last_seq, charge_seq
)
select changed.*, coalesce(standing.last_seq, 0), standing.charge_seq
from changed
left join standing
    on standing.subscription_key = changed.subscription_key
    and standing.transaction_id = changed.transaction_id
    and standing.product_id = changed.product_id
