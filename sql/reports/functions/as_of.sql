-- The append-only history as a seal saw it: what was written by runs that were sealed by then.
-- What the checks and the reports' sums are compared with; reports themselves are made of the same rows (staging/).
--
-- subscriptions: only theirs, each key named once, found by the index; NULL: everything. Whoever asks for some of them asks
-- for whole lineages (marts.whole_lineages), since periods are classified by their neighbours.

-- Grain: one row per (subscription_key, transaction_id, product_id), the newest image of it.
create or replace function subledger.transactions_as_of(
    seal bigint, subscriptions bigint[] default null
) returns table (
    subscription_key bigint, transaction_id text, product_id text, version bigint, run_id bigint, recorded_at timestamptz,
    answer_hash text, lineage_key bigint, app_id text, store text, environment text, original_transaction_id text,
    period_key text, subscription_group text, kind text, is_trial_conversion boolean, offer_type text, offer_id text,
    ownership text, quantity bigint, country text, purchased_at timestamptz, period_start timestamptz,
    period_end timestamptz, price_micros bigint, tax_micros bigint, proceeds_micros bigint, currency text,
    price_source text, proceeds_source text, refunded_at timestamptz, refund_kind text, refund_micros bigint,
    is_upgraded boolean, source_version timestamptz, refund_parts jsonb, recurring_price_micros bigint, seats bigint,
    refund_source text, base_plan_id text, store_discount_micros bigint, refund_reason text,
    extended_until timestamptz, bundle_transaction_id text
)
language sql stable parallel safe
as $$
    select
        known.subscription_key, known.transaction_id, known.product_id, known.version, known.run_id, known.recorded_at,
        known.answer_hash, known.lineage_key, known.app_id, known.store, known.environment, known.original_transaction_id,
        known.period_key, known.subscription_group, known.kind, known.is_trial_conversion, known.offer_type, known.offer_id,
        known.ownership, known.quantity, known.country, known.purchased_at, known.period_start, known.period_end,
        known.price_micros, known.tax_micros, known.proceeds_micros, known.currency, known.price_source,
        known.proceeds_source, known.refunded_at, known.refund_kind, known.refund_micros, known.is_upgraded,
        known.source_version, known.refund_parts, known.recurring_price_micros, known.seats, known.refund_source,
        known.base_plan_id, known.store_discount_micros, known.refund_reason, known.extended_until,
        known.bundle_transaction_id
    from (
        (
            select distinct on (image.subscription_key, image.transaction_id, image.product_id) image.*
            from subledger.transaction_versions image
            join subledger.runs run on run.run_id = image.run_id
            where transactions_as_of.subscriptions is null and run.seal <= transactions_as_of.seal
            order by image.subscription_key desc, image.transaction_id desc, image.product_id desc, image.version desc
        )
        union all
        (
            select distinct on (image.subscription_key, image.transaction_id, image.product_id) image.*
            from unnest(transactions_as_of.subscriptions) wanted (key)
            cross join lateral (
                select stored.* from subledger.transaction_versions stored where stored.subscription_key = wanted.key offset 0
            ) image
            join subledger.runs run on run.run_id = image.run_id
            where transactions_as_of.subscriptions is not null and run.seal <= transactions_as_of.seal
            order by image.subscription_key desc, image.transaction_id desc, image.product_id desc, image.version desc
        )
    ) known
$$;

-- Grain: one row per money movement.
create or replace function subledger.ledger_as_of(
    seal bigint, subscriptions bigint[] default null
) returns table (
    subscription_key bigint, transaction_id text, product_id text, seq integer, kind text, corrects integer,
    occurred_at timestamptz, recorded_at timestamptz, run_id bigint, amount_micros bigint, tax_micros bigint,
    proceeds_micros bigint, currency text, source text
)
language sql stable parallel safe
as $$
    select
        known.subscription_key, known.transaction_id, known.product_id, known.seq, known.kind, known.corrects,
        known.occurred_at, known.recorded_at, known.run_id, known.amount_micros, known.tax_micros, known.proceeds_micros,
        known.currency, known.source
    from (
        select entry.*
        from subledger.ledger_entries entry
        join subledger.runs run on run.run_id = entry.run_id
        where ledger_as_of.subscriptions is null and run.seal <= ledger_as_of.seal
        union all
        select entry.*
        from unnest(ledger_as_of.subscriptions) wanted (key)
        cross join lateral (
            select stored.* from subledger.ledger_entries stored where stored.subscription_key = wanted.key offset 0
        ) entry
        join subledger.runs run on run.run_id = entry.run_id
        where ledger_as_of.subscriptions is not null and run.seal <= ledger_as_of.seal
    ) known
$$;

-- Grain: one row per change of a subscription.
create or replace function subledger.state_changes_as_of(seal bigint) returns table (
    subscription_key bigint, change_id bigint, occurred_at timestamptz, recorded_at timestamptz, run_id bigint, state text,
    state_raw text, auto_renew boolean, product_id text, expires_at timestamptz, grace_expires_at timestamptz,
    end_reason text, answer_hash text, reported_at timestamptz, committed_until timestamptz, renewal_price_micros bigint,
    renewal_currency text
)
language sql stable
as $$
    select
        change.subscription_key, change.change_id, change.occurred_at, change.recorded_at, change.run_id, change.state,
        change.state_raw, change.auto_renew, change.product_id, change.expires_at, change.grace_expires_at,
        change.end_reason, change.answer_hash, change.reported_at, change.committed_until, change.renewal_price_micros,
        change.renewal_currency
    from subledger.state_changes change
    join subledger.runs run on run.run_id = change.run_id
    where run.seal <= state_changes_as_of.seal
$$;

comment on function subledger.transactions_as_of is 'The newest image of every transaction that runs sealed by then wrote';
comment on function subledger.ledger_as_of is 'The money movements that runs sealed by then wrote';
comment on function subledger.state_changes_as_of is 'The state changes that runs sealed by then wrote';
