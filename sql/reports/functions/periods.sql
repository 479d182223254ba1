-- How long periods are, and what cuts them short.

-- The product catalogue: how long a period of each product is.
-- Grain: one row per app, product, base plan (empty: any) and stretch of days [valid_from, valid_until) with a length that is
-- whole months or whole days; the row recorded last counts. Other durations say nothing here.
create or replace function marts.plan_lengths(seal bigint) returns table (
    app_id text, product_id text, base_plan_id text, valid_from date, valid_until date, months bigint, days bigint
)
language sql stable
as $$
    with newest as (
        select distinct on (product.app_id, product.product_id, product.base_plan_id, product.valid_from) product.*
        from subledger.products product
        join subledger.runs run on run.run_id = product.recorded_run_id
        where run.seal <= plan_lengths.seal
        order by product.app_id, product.product_id, product.base_plan_id, product.valid_from, run.seal desc
    ),

    dated as (
        select
            newest.app_id, newest.product_id, newest.base_plan_id, newest.valid_from,
            lead(newest.valid_from, 1, 'infinity') over (
                partition by newest.app_id, newest.product_id, newest.base_plan_id order by newest.valid_from
            ) as valid_until,
            length.months, length.days
        from newest
        cross join lateral subledger.length_of(newest.period) length
    )

    select
        dated.app_id, dated.product_id, dated.base_plan_id, dated.valid_from, dated.valid_until, dated.months, dated.days
    from dated
    where dated.months > 0 or dated.days > 0
$$;

-- When a refund of the App Store's ended the period; NULL where it moved money only, be it all of the price: it was given back in sums
-- of their own days, and seats are left, or there never were any and nothing was taken away with a sum.
create or replace function marts.cut_at(
    store text, refunded_at timestamptz, refund_kind text, refund_parts jsonb, seats bigint
) returns timestamptz
language sql immutable parallel safe
return case
    when not subledger.is_refund_money_alone(cut_at.store)
        and not (
            cut_at.refund_kind <> 'revoke'
            and cut_at.refund_parts is not null
            and coalesce(
                cut_at.seats > 0, not jsonb_path_exists(cut_at.refund_parts, '$[*] ? (!(@.money_only == true))'))
        )
        then cut_at.refunded_at
end;

-- What was given back for seats, of the sums of a refund. Grain: one row per instant.
create or replace function marts.given_back_for_seats(refund_parts jsonb)
returns table (at timestamptz, micros bigint, tax bigint) language sql immutable parallel safe
begin atomic
    select part.at, sum(part.micros)::bigint, sum(part.tax)::bigint
    from jsonb_to_recordset(given_back_for_seats.refund_parts)
        as part (at timestamptz, micros bigint, tax bigint, money_only boolean)
    where part.money_only is not true
    group by part.at;
end;

-- Whether a period was paid for: not free, and its price not 0; or it continues what was paid, at no charge.
create or replace function marts.is_paid(
    store text, kind text, price_micros bigint, proceeds_micros numeric, recurring_price_micros numeric
) returns boolean
language sql immutable parallel safe
return is_paid.kind not in ('trial', 'one_time')
    and (
        is_paid.price_micros is distinct from 0
        or subledger.is_paid_at_no_charge(
            is_paid.store, is_paid.kind, is_paid.proceeds_micros, is_paid.recurring_price_micros)
    );

-- Whether a free period is a trial: before the first paid one of its lineage (NULL: there is none), prepaid ones included, and on no
-- offer to customers whom the app knew.
create or replace function marts.is_trial(
    kind text, offer_type text, starts_at timestamptz, first_paid_at timestamptz
) returns boolean
language sql immutable parallel safe
return is_trial.kind = 'trial'
    and is_trial.offer_type is distinct from 'promotional'
    and is_trial.offer_type is distinct from 'win_back'
    and (is_trial.starts_at > is_trial.first_paid_at) is not true;

comment on function marts.plan_lengths is 'The product catalogue''s period lengths that runs sealed by then imported';
comment on function marts.is_paid is 'Whether a period was paid for: not free, and its price not 0';
comment on function marts.is_trial is 'Whether a free period is a trial: before the first paid one, and on no offer to known customers';
comment on function marts.given_back_for_seats is 'What was given back for seats, of the sums of a refund';
comment on function marts.cut_at is 'When a refund of the App Store''s ended a period; NULL where it moved money only';
