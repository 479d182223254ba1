-- What Google Play alone decides. Every other SQL file asks one of these functions, or one of app_store.sql, and names no store.
-- Grain: one value each.

-- An answer bears no date of the store's: it is as new as the clock of the job that asked.
create or replace function subledger.is_answer_dated_by_job(store text) returns boolean
language sql immutable parallel safe
return is_answer_dated_by_job.store = 'google_play';

-- A token may turn out to be that of a one-time purchase, which is booked under its order.
create or replace function subledger.is_sale_booked_by_order(store text) returns boolean
language sql immutable parallel safe
return is_sale_booked_by_order.store = 'google_play';

-- The store's id opens the purchase to whoever has it: it is never printed.
create or replace function subledger.is_id_secret(store text) returns boolean
language sql immutable parallel safe
return is_id_secret.store = 'google_play';

-- A product that was added to a running purchase, or to a new one that goes on with it, has an order of its own within the time of
-- the other product's.
create or replace function subledger.has_orders_of_added_products(store text) returns boolean
language sql immutable parallel safe
return has_orders_of_added_products.store = 'google_play';

-- An order's period is stated once; then the expiry of the whole purchase moves.
create or replace function subledger.is_expiry_of_purchase(store text) returns boolean
language sql immutable parallel safe
return is_expiry_of_purchase.store = 'google_play';

-- A refund alone moves money, and ends no period.
create or replace function subledger.is_refund_money_alone(store text) returns boolean
language sql immutable parallel safe
return is_refund_money_alone.store = 'google_play';

-- A purchase that another one replaces at a later renewal runs to its end; that it was replaced ends nothing.
create or replace function subledger.is_replacement_deferred(store text, is_upgraded boolean) returns boolean
language sql immutable parallel safe
return is_replacement_deferred.store = 'google_play' and not is_replacement_deferred.is_upgraded;

-- A change of plan may shorten the first period of the new one.
create or replace function subledger.is_shortened_by_change(store text, kind text) returns boolean
language sql immutable parallel safe
return is_shortened_by_change.store = 'google_play'
    and is_shortened_by_change.kind in ('upgrade', 'downgrade', 'crossgrade');

-- What costs nothing continues what was paid: at a change of plan, in the proration phase of an order (which has a recurring
-- price), and where the store paid in the customer's place and the developer gets something for it.
create or replace function subledger.is_paid_at_no_charge(
    store text, kind text, proceeds_micros numeric, recurring_price_micros numeric
) returns boolean
language sql immutable parallel safe
return is_paid_at_no_charge.store = 'google_play'
    and coalesce(
        is_paid_at_no_charge.kind in ('upgrade', 'downgrade', 'crossgrade')
            or is_paid_at_no_charge.recurring_price_micros is not null
            or is_paid_at_no_charge.proceeds_micros > 0, false);

-- Why a text can be no purchase token, for a person; NULL where it can.
create or replace function subledger.purchase_token_fault(id text) returns text
language sql immutable parallel safe
return case
    when purchase_token_fault.id ~ '^(="|''|")' then 'a spreadsheet has changed it: export the column as text'
    when purchase_token_fault.id ~* '^gpa\.' or purchase_token_fault.id ~ '^[0-9]+\.[0-9]+$'
        then 'it is an order id: Google Play is asked with the purchase token'
    when octet_length(purchase_token_fault.id) between 5 and 2000 and purchase_token_fault.id ~ '^[\u0021-\u007e]+$' then null
    else 'a purchase token has 5 to 2,000 visible ASCII characters'
end;

comment on function subledger.is_answer_dated_by_job is 'Whether an answer is as new as the clock of the job that asked';
comment on function subledger.is_sale_booked_by_order is 'Whether a one-time purchase is booked under its order';
comment on function subledger.is_id_secret is 'Whether the store''s id opens the purchase to whoever has it';
comment on function subledger.has_orders_of_added_products is 'Whether a product that was added to a running purchase has an order of its own';
comment on function subledger.is_expiry_of_purchase is 'Whether the expiry is that of the whole purchase, and an order''s period is stated once';
comment on function subledger.is_refund_money_alone is 'Whether a refund alone moves money and ends no period';
comment on function subledger.is_replacement_deferred is 'Whether a purchase that gave way to another one runs to its end';
comment on function subledger.is_shortened_by_change is 'Whether a change of plan may have shortened a period of this kind';
comment on function subledger.is_paid_at_no_charge is 'Whether a period that cost nothing continues what was paid';
comment on function subledger.purchase_token_fault is 'Why a text cannot be a purchase token; NULL where it can';
