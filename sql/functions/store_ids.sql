-- Whether a text can be the id by which a store is asked about a purchase: Model/StoreID.swift has the same rule.

-- Without the white space around it: Unicode's White_Space, U+FEFF and U+200B.
create or replace function subledger.trimmed(value text) returns text
language sql immutable parallel safe
return regexp_replace(
    value,
    '^[\s\u0085\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]+'
        || '|[\s\u0085\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]+$',
    '', 'g');

-- Why a text is none, for a person; NULL where it is one. Grain: one value.
create or replace function subledger.store_id_fault(store text, id text) returns text
language sql immutable parallel safe
return case
    when store_id_fault.id ~ '^[0-9]+([.,][0-9]+)?[Ee]\+?[0-9]+$' then 'a spreadsheet has changed it: export the column as text'
    when store_id_fault.store = 'app_store' then subledger.transaction_id_fault(store_id_fault.id)
    else subledger.purchase_token_fault(store_id_fault.id)
end;

comment on function subledger.trimmed is 'A text without the white space around it';
comment on function subledger.store_id_fault is 'Why a text cannot be an id of the store; NULL where it can';
