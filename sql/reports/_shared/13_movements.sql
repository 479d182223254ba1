-- Refunds that were wholly taken back: how many of them each reversal undoes. Grain: one row per such reversal.
drop function if exists report.cleared_refunds_as_of(bigint);
drop function if exists report.cleared_refunds_as_of(bigint, bigint[]);
create function report.cleared_refunds_as_of(seal bigint, subscriptions bigint[] default null) returns table (
    subscription_key bigint, transaction_id text, product_id text, seq integer, refunds_taken_back bigint
)
language sql stable
as $$
    with giving_back as (
        select
            entry.subscription_key, entry.transaction_id, entry.product_id, entry.seq,
            count(*) filter (where entry.kind = 'refund') over line as refunds_so_far,
            entry.kind = 'refund_reversal' and sum(entry.amount_micros) over line = 0 as is_cleared
        from subledger.ledger_as_of(cleared_refunds_as_of.seal, cleared_refunds_as_of.subscriptions) entry
        where entry.kind in ('refund', 'refund_reversal')
        window line as (
            partition by entry.subscription_key, entry.transaction_id, entry.product_id order by entry.seq
        )
    )

    select
        step.subscription_key, step.transaction_id, step.product_id, step.seq,
        step.refunds_so_far - coalesce(lag(step.refunds_so_far) over line, 0)
    from giving_back step
    where step.is_cleared
    window line as (partition by step.subscription_key, step.transaction_id, step.product_id order by step.seq)
$$;

-- The money ledger with what the reports need to know of each entry.
-- Grain: one row per ledger entry.
--
-- product_type tells one-time sales, prepaid top-ups and auto-renewing subscriptions apart. purchase_day (in UTC) is the day
-- whose rules, tax and exchange rates hold, also for a refund. has_paid_a_year matters, and is told, only where the store
-- did not tell the proceeds. refunds_taken_back: the refunds that this reversal wholly undoes. source: of the amount.
drop function if exists report.movements_as_of(bigint, text);
drop function if exists report.movements_as_of(bigint, text, bigint[]);
create function report.movements_as_of(seal bigint, time_zone text, subscriptions bigint[] default null) returns table (
    subscription_key bigint, transaction_id text, sold_product_id text, seq integer, kind text, occurred_at timestamptz,
    day date, app_id text, store text, product_id text, country text, currency text, product_type text,
    amount_micros bigint, tax_micros bigint, proceeds_micros bigint, purchase_day date, has_paid_a_year boolean,
    refunds_taken_back bigint, source text
)
language sql stable
-- The planner takes what as-of functions give for a handful of rows; looping over many thousands would never end.
set enable_nestloop = off
set jit = off
as $$
    with entries as materialized (
        select
            entry.subscription_key, entry.transaction_id, entry.product_id, entry.seq, entry.kind, entry.occurred_at,
            entry.currency, entry.amount_micros, entry.tax_micros, entry.proceeds_micros,
            entry.source, sold.app_id, sold.store, sold.country,
            case sold.kind when 'one_time' then 'one_time' when 'top_up' then 'prepaid' else 'auto_renewable' end
                as product_type,
            (sold.purchased_at at time zone 'UTC')::date as purchase_day
        from subledger.ledger_as_of(movements_as_of.seal, movements_as_of.subscriptions) entry
        join subledger.transactions_as_of(movements_as_of.seal, movements_as_of.subscriptions) sold
            on sold.subscription_key = entry.subscription_key
            and sold.transaction_id = entry.transaction_id
            and sold.product_id = entry.product_id
    )

    select
        entries.subscription_key, entries.transaction_id, entries.product_id, entries.seq, entries.kind,
        entries.occurred_at, report.day_of(entries.occurred_at, entries.store, movements_as_of.time_zone),
        entries.app_id, entries.store, entries.product_id, entries.country, entries.currency, entries.product_type,
        entries.amount_micros, entries.tax_micros, entries.proceeds_micros, entries.purchase_day,
        entries.proceeds_micros is null
            and (entries.subscription_key, entries.transaction_id, entries.product_id) in (
                select year.subscription_key, year.transaction_id, year.product_id
                from report.paid_a_year_as_of(movements_as_of.seal, movements_as_of.subscriptions) year
            ),
        coalesce(cleared.refunds_taken_back, 0), entries.source
    from entries
    left join report.cleared_refunds_as_of(movements_as_of.seal, movements_as_of.subscriptions) cleared
        on cleared.subscription_key = entries.subscription_key
        and cleared.transaction_id = entries.transaction_id
        and cleared.product_id = entries.product_id
        and cleared.seq = entries.seq
$$;

comment on function report.movements_as_of is 'The money ledger with the product, day and purchase day of each entry';
comment on function report.cleared_refunds_as_of is 'Reversals that wholly took refunds back, and how many';
