-- The staged rows that change something, each with what it replaces; an unchanged night finds none.
-- Grain: one row per changed transaction. An older source version never overwrites a newer one, and an answer that is
-- equal but for its signing time changes nothing. A row from the answer of another subscription (seen indirectly) was
-- placed without the history of its own: what we hold of its place in the timeline stays, and a period that is held under
-- another id stays under that one. A price that the answer lacks is the one the store reported before, else the price
-- list's for the day of the purchase, else what was booked from it. An App Store period ends where its first image said: a later end
-- extends it. $1 run, $2 chunk
with sent as (
    select distinct on (subscription_key, transaction_id, product_id) *
    from subledger.stage_transactions
    where run_id = $1::bigint and chunk_no = $2::integer
    order by subscription_key, transaction_id, product_id, is_seen_indirectly, source_version desc
),

placed as (
    select
        sent.run_id, sent.chunk_no, sent.answer_hash, sent.is_seen_indirectly,
        coalesce(subscription.lineage_key, sent.lineage_key) as lineage_key,
        {sent.transaction not placed},
        period.period_end,
        nullif(
            case when subledger.is_period_end_final(sent.store) then greatest(
                period.period_end, stored.extended_until, sent.extended_until, sent.period_end) end,
            period.period_end
        ) as extended_until,
        money.price_micros,
        money.currency,
        money.price_source,
        case
            when sent.refund_micros is not null or money.origin = 'answer' then sent.refund_micros
            when sent.refund_kind = 'full' then money.price_micros
            when sent.refunded_at = stored.refunded_at then stored.refund_micros
        end as refund_micros,
        case
            when sent.refund_micros is not null or money.origin = 'answer' then sent.refund_source
            when sent.refund_kind = 'full' and stored.refund_micros = money.price_micros
                then coalesce(stored.refund_source, 'derived')
            when sent.refund_kind = 'full' then 'derived'
            when sent.refunded_at = stored.refunded_at then stored.refund_source
        end as refund_source,
        -- The first amounts that the store reports for a charge stay: later ones may be reduced by what was given back since.
        case when stored.price_micros = money.price_micros and stored.currency = money.currency
            then coalesce(stored.tax_micros, sent.tax_micros) else sent.tax_micros end as tax_micros,
        case when stored.price_micros = money.price_micros and stored.currency = money.currency
            then coalesce(stored.proceeds_micros, sent.proceeds_micros) else sent.proceeds_micros end as proceeds_micros,
        case when stored.currency = money.currency
            then coalesce(stored.recurring_price_micros, sent.recurring_price_micros)
            else sent.recurring_price_micros end as recurring_price_micros,
        coalesce(sent.base_plan_id, stored.base_plan_id) as base_plan_id,
        -- Only the successor's answer shows whether it cut a purchase short or went on with it; until a successor is known,
        -- the purchase's own answer counts.
        case when sent.states_upgrade or successor.is_unknown then sent.is_upgraded
            else coalesce(stored.is_upgraded, sent.is_upgraded) end as is_upgraded,
        case when sent.is_seen_indirectly then coalesce(stored.kind, sent.kind) else sent.kind end as kind,
        case when sent.is_seen_indirectly then coalesce(stored.is_trial_conversion, sent.is_trial_conversion)
            else sent.is_trial_conversion end as is_trial_conversion
    from sent
    left join subledger.subscriptions subscription on subscription.subscription_key = sent.subscription_key
    left join subledger.transactions stored
        on stored.subscription_key = sent.subscription_key
        and stored.transaction_id = sent.transaction_id
        and stored.product_id = sent.product_id
    cross join lateral (
        select not exists (
            select from subledger.lineage_links link where link.linked_subscription_key = sent.subscription_key
        ) as is_unknown
    ) successor
    cross join lateral (
        select case
            when subledger.is_period_end_final(sent.store) then coalesce(stored.period_end, sent.period_end)
            else sent.period_end
        end as period_end
    ) period
    left join lateral (
        select found.price_micros, found.currency
        from subledger.list_price(
            sent.app_id, sent.store, sent.product_id, coalesce(sent.base_plan_id, stored.base_plan_id), sent.country, sent.kind,
            sent.purchased_at, sent.period_start, period.period_end
        ) found
        -- Within: the list is not read for the rows that the store gave a price.
        where sent.price_micros is null
            and subledger.is_list_priced(
                sent.environment, sent.ownership, sent.kind, sent.offer_type, sent.offer_id, sent.refund_kind,
                sent.refund_micros)
    ) listed on true
    cross join lateral (
        select case
            -- What a bundle includes has no price of its own, whatever was booked before the store named the bundle.
            when sent.price_micros is not null or sent.bundle_transaction_id is not null then 'answer'
            when stored.price_source in ('store_order', 'store_price') then 'held'
            when listed.price_micros is not null then 'list'
            when stored.price_source = 'price_list' then 'held'
            else 'answer'
        end as origin
    ) priced
    cross join lateral (
        select
            priced.origin,
            case priced.origin when 'held' then stored.price_micros when 'list' then listed.price_micros * sent.quantity
                else sent.price_micros end as price_micros,
            case priced.origin when 'held' then stored.currency when 'list' then listed.currency
                else sent.currency end as currency,
            case priced.origin when 'held' then stored.price_source when 'list' then 'price_list'
                else sent.price_source end as price_source
    ) money
    where not sent.is_seen_indirectly
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
        staged.*,
        stored.subscription_key is null as is_new,
        coalesce(subledger.bookable_micros(stored.environment, stored.ownership, stored.kind, stored.price_micros), 0)
            as old_amount_micros,
        stored.currency as old_currency,
        stored.price_source as old_price_source,
        coalesce(subledger.bookable_micros(stored.environment, stored.ownership, stored.kind, stored.refund_micros), 0)
            as old_refund_micros,
        stored.refunded_at as old_refunded_at,
        stored.tax_micros as old_tax_micros,
        stored.proceeds_micros as old_proceeds_micros,
        stored.refund_parts as old_refund_parts,
        subledger.bookable_micros(staged.environment, staged.ownership, staged.kind, staged.price_micros)
            as amount_micros,
        subledger.bookable_micros(staged.environment, staged.ownership, staged.kind, staged.refund_micros)
            as booked_refund_micros,
        case when staged.proceeds_micros is null then 'missing' else 'store_order' end as proceeds_source
    from placed staged
    left join subledger.transactions stored
        on stored.subscription_key = staged.subscription_key
        and stored.transaction_id = staged.transaction_id
        and stored.product_id = staged.product_id
    where stored.subscription_key is null
        or (
            staged.source_version >= stored.source_version
            -- Rows of before the column refund_source say nothing of it: that alone is no change.
            and (staged.lineage_key, coalesce(staged.refund_source, 'none'), {staged.transaction not apart})
                is distinct from (
                    stored.lineage_key, coalesce(stored.refund_source, staged.refund_source, 'none'),
                    {stored.transaction not apart}
                )
        )
),

-- What the ledger holds of them, as they were found.
latest_entries as (
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
    run_id, chunk_no, answer_hash, is_seen_indirectly, is_new, old_amount_micros, old_currency, old_price_source, old_refund_micros,
    old_refunded_at, old_tax_micros, old_proceeds_micros, old_refund_parts, amount_micros, booked_refund_micros, proceeds_source,
    lineage_key,
    {transaction}, last_seq, charge_seq
)
select
    changed.run_id, changed.chunk_no, changed.answer_hash, changed.is_seen_indirectly, changed.is_new, changed.old_amount_micros,
    changed.old_currency, changed.old_price_source, changed.old_refund_micros, changed.old_refunded_at, changed.old_tax_micros,
    changed.old_proceeds_micros, changed.old_refund_parts, changed.amount_micros, changed.booked_refund_micros,
    changed.proceeds_source, changed.lineage_key, {changed.transaction}, coalesce(latest_entries.last_seq, 0),
    latest_entries.charge_seq
from changed
left join latest_entries
    on latest_entries.subscription_key = changed.subscription_key
    and latest_entries.transaction_id = changed.transaction_id
    and latest_entries.product_id = changed.product_id
