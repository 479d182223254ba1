-- What a refund takes back: the amounts that were refunded of a charge, and what each takes from its tax and its proceeds.

-- A share of a whole amount, half up to the micro; NULL where the amount is unknown. Grain: one value.
create or replace function subledger.share_of(amount_micros bigint, part_micros bigint, whole_micros bigint) returns bigint
language sql immutable parallel safe
return case
    when whole_micros > 0 then div(2::numeric * amount_micros * part_micros + whole_micros, 2::numeric * whole_micros)::bigint
end;

-- What a refund takes from the tax or the proceeds of a charge, where the store does not state it: what its step adds to the share of
-- all that is refunded, so that a whole refund leaves nothing. Grain: one value, negative for a refund.
create or replace function subledger.refunded_share(
    whole_micros bigint, refunded_before_micros bigint, refunded_after_micros bigint, price_micros bigint
) returns bigint
language sql immutable parallel safe
return subledger.share_of(whole_micros, refunded_before_micros, price_micros)
    - subledger.share_of(whole_micros, refunded_after_micros, price_micros);

-- What was refunded of a charge, amount by amount. Grain: one row per part; none where no refund was booked.
create or replace function subledger.refunds_of(refund_parts jsonb, refunded_at timestamptz, booked_micros bigint)
returns table (at timestamptz, micros bigint, tax bigint) language sql immutable parallel safe
begin atomic
    select part.at, sum(part.micros)::bigint, sum(part.tax)::bigint
    from jsonb_to_recordset(refunds_of.refund_parts) as part (at timestamptz, micros bigint, tax bigint)
    where refunds_of.booked_micros > 0
    group by part.at
    union all
    select refunds_of.refunded_at, refunds_of.booked_micros, null
    where refunds_of.booked_micros > 0 and refunds_of.refund_parts is null;
end;

comment on function subledger.share_of is 'amount × part ÷ whole, half up to the micro';
comment on function subledger.refunded_share is 'What a refund takes from the tax or the proceeds of a charge, in proportion';
comment on function subledger.refunds_of is 'What was refunded of a charge, amount by amount';
