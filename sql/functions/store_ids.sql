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
    when store_id_fault.store = 'app_store' then case
        when store_id_fault.id ~ '^[1-9][0-9]{0,19}$' then null
        when store_id_fault.id ~ '^[="''’,._\s\u00a0\u202f0-9]*[0-9][="''’,._\s\u00a0\u202f0-9]*$'
            and store_id_fault.id ~ '[^0-9]' then 'a spreadsheet has changed it: export the column as text'
        else 'an App Store transaction id has 1 to 20 digits, the first of them not 0'
    end
    when store_id_fault.id ~ '^(="|''|")' then 'a spreadsheet has changed it: export the column as text'
    when store_id_fault.id ~* '^gpa\.' or store_id_fault.id ~ '^[0-9]+\.[0-9]+$'
        then 'it is an order id: Google Play is asked with the purchase token'
    when octet_length(store_id_fault.id) between 5 and 2000 and store_id_fault.id ~ '^[\u0021-\u007e]+$' then null
    else 'a purchase token has 5 to 2,000 visible ASCII characters'
end;

comment on function subledger.trimmed is 'A text without the white space around it';
comment on function subledger.store_id_fault is 'Why a text cannot be an id of the store; NULL where it can';
