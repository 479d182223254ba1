-- What a row is booked with: production, purchased rows with a known price above zero; everything else is counted apart.

-- Grain: one value, micros; 0 where nothing is booked.
create or replace function subledger.bookable_micros(environment text, ownership text, kind text, amount_micros bigint)
returns bigint language sql immutable parallel safe
return case
    when environment = 'production' and ownership = 'purchased' and kind <> 'trial' then coalesce(amount_micros, 0)
    else 0
end;

comment on function subledger.bookable_micros is 'What a transaction is booked with, in micros; 0: nothing';
