-- What was learned since an earlier seal of transactions at hand, as the later seal saw them.
-- Grain: one row per lineage and transaction asked for; an empty transaction means all of its lineage.
-- is_new: nothing was known of it; the others say what was added: a refund or its reversal, a charge or a correction, another
-- image, a word on the subscription's state, a line of the catalogue for its product, a link of its lineage, an exchange rate for
-- its purchase. A lineage that was linked to another one is known by its subscription still.
-- $1 earlier seal, $2 later seal, $3 lineages, $4 transactions
with since as materialized (
    select run.run_id
    from subledger.runs run
    where run.seal > $1::bigint and run.seal <= $2::bigint
),

asked as (
    select distinct given.lineage_key, given.transaction_id
    from unnest($3::bigint[], $4::text[]) given (lineage_key, transaction_id)
),

entries as materialized (
    select
        entry.subscription_key, entry.transaction_id, entry.product_id,
        bool_or(entry.kind in ('refund', 'refund_reversal')) as has_refund,
        bool_or(entry.kind in ('charge', 'correction')) as has_charge
    from pg_temp.known_entries entry
    join since on since.run_id = entry.run_id
    group by entry.subscription_key, entry.transaction_id, entry.product_id
),

-- What became part of a lineage, and what it was joined with.
linked as materialized (
    select distinct known.lineage_key
    from subledger.lineage_links link
    join since on since.run_id = link.recorded_run_id
    join pg_temp.known_transactions known on known.subscription_key in (link.subscription_key, link.linked_subscription_key)
),

rates as materialized (
    select rate.currency, min(rate.rate_date) as first_date
    from subledger.fx_rates rate
    join since on since.run_id = rate.recorded_run_id
    group by rate.currency
)

select
    asked.lineage_key, asked.transaction_id,
    coalesce(bool_or(not exists (
        select
        from subledger.transaction_versions image
        join subledger.runs run on run.run_id = image.run_id
        where image.subscription_key = known.subscription_key and image.transaction_id = known.transaction_id
            and image.product_id = known.product_id and run.seal <= $1::bigint
    )), false) as is_new,
    coalesce(bool_or(entries.has_refund), false) as has_refund,
    coalesce(bool_or(entries.has_charge), false) as has_charge,
    coalesce(bool_or(known.run_id in (select since.run_id from since)), false) as has_image,
    coalesce(bool_or(exists (
        select
        from subledger.state_changes change
        join since on since.run_id = change.run_id
        where change.subscription_key = known.subscription_key
    )), false) as has_state,
    coalesce(bool_or(exists (
        select
        from subledger.products listed
        join since on since.run_id = listed.recorded_run_id
        where listed.app_id = known.app_id and listed.product_id = known.product_id
    )), false) as has_product,
    coalesce(bool_or(known.lineage_key in (select linked.lineage_key from linked)), false) as has_link,
    coalesce(bool_or(exists (
        select
        from rates
        where rates.currency in (known.currency, scope.reporting_currency)
            and rates.first_date < (known.purchased_at at time zone 'UTC')::date
    )), false) as has_rate
from asked
cross join pg_temp.report_scope scope
join pg_temp.known_transactions known
    on (known.lineage_key = asked.lineage_key or known.subscription_key = asked.lineage_key)
    and (asked.transaction_id = '' or known.transaction_id = asked.transaction_id)
left join entries
    on entries.subscription_key = known.subscription_key
    and entries.transaction_id = known.transaction_id
    and entries.product_id = known.product_id
group by asked.lineage_key, asked.transaction_id
