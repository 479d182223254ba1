-- What the app's backend calls for each purchase: idempotent, and "check at once" when it is called again. A purchase stays with the
-- account that has it, unless it is moved on purpose. Of two accounts that register the same purchase at once, the first gets it: the
-- row's lock decides. Grain: one row.
create or replace function subledger.register(
    app_id text, store_key text, account_id text default null, product_id text default null,
    environment text default null, country text default null, receipt text default null,
    transfer boolean default false
) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
    owning_store text;
    owner_id text := nullif(register.account_id, '');
    is_moved boolean := coalesce(register.transfer, false);
    key bigint;
    receipt_key bigint;
begin
    select known.store into owning_store from subledger.apps known where known.app_id = register.app_id;
    if not found then
        raise exception 'app % is not configured', app_id using errcode = 'foreign_key_violation',
            hint = 'Add it to subledger.yaml and run subledger migrate.';
    end if;
    if store_key is null or store_key = '' then
        raise exception 'a subscription needs a store key' using errcode = 'not_null_violation',
            hint = 'App Store: the original transaction id. Play: the purchase token.';
    end if;
    if octet_length(owner_id) > 1000 or owner_id ~ '[\u0001-\u001f\u007f-\u009f]' then
        raise exception 'the account id holds control characters or is too long'
            using errcode = 'invalid_parameter_value', hint = 'At most 1000 bytes, none of them a control character.';
    end if;
    key := subledger.subscription_key(app_id, store_key);
    if receipt is not null then
        -- A receipt belongs to many subscriptions: the receipt of this subscription, else one with the same text.
        select coalesce(
            (select s.receipt_id from subledger.subscriptions s where s.subscription_key = key),
            (
                select min(r.receipt_id) from subledger.receipts r
                where r.app_id = register.app_id
                    and md5(r.receipt) = md5(register.receipt)
                    and r.receipt = register.receipt
            ),
            subledger.subscription_key(app_id, 'receipt-of-' || key::text)
        ) into receipt_key;
        insert into subledger.receipts as stored (receipt_id, app_id, receipt, recorded_at)
        values (receipt_key, app_id, receipt, now())
        on conflict (receipt_id) do update set receipt = excluded.receipt, recorded_at = excluded.recorded_at
        where stored.receipt is distinct from excluded.receipt;
    end if;
    insert into subledger.subscriptions as stored (
        subscription_key, lineage_key, app_id, store, environment, store_key, account_id, product_id, country,
        receipt_id, registered_at)
    values (
        key, key, app_id, owning_store, environment, store_key, owner_id, product_id, upper(country),
        receipt_key, now())
    on conflict (subscription_key) do update set
        account_id = coalesce(excluded.account_id, stored.account_id),
        product_id = coalesce(stored.product_id, excluded.product_id),
        environment = coalesce(stored.environment, excluded.environment),
        country = coalesce(excluded.country, stored.country),
        receipt_id = coalesce(stored.receipt_id, excluded.receipt_id),
        next_check_at = '-infinity',
        next_check_reason = 'registered'
    where is_moved or coalesce(stored.account_id = excluded.account_id, true);
    if not found then
        raise exception 'this purchase belongs to another account' using errcode = 'integrity_constraint_violation',
            hint = 'Where its customer has a new account, say so: register(…, transfer => true).';
    end if;
    return key;
end
$$;

comment on function subledger.register is 'Registers a purchase, idempotently; a known one is checked at once. A second account is refused, unless transfer says that it moves';
