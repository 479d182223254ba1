-- Records a purchase that the backend, an accepted purchase or an authentic notification names. It stays with the account that has
-- it, unless it is moved on purpose. Of two accounts that register the same purchase at once, the first gets it: the row's lock
-- decides. Grain: one row.
create or replace function subledger.record_registration(
    app_id text, store_key text, account_id text default null, product_id text default null,
    environment text default null, country text default null, receipt text default null,
    transfer boolean default false
) returns bigint
language plpgsql as $$
#variable_conflict use_variable
declare
    owning_store text;
    owner_id text := nullif(record_registration.account_id, '');
    is_moved boolean := coalesce(record_registration.transfer, false);
    key bigint;
    receipt_key bigint;
begin
    select known.store into owning_store from subledger.apps known where known.app_id = record_registration.app_id;
    if octet_length(owner_id) > 1000 or owner_id ~ '[\u0001-\u001f\u007f-\u009f]' then
        raise exception 'the account id holds control characters or is too long'
            using errcode = 'invalid_parameter_value', hint = 'At most 1000 bytes, none of them a control character.';
    end if;
    key := subledger.subscription_key(app_id, store_key);
    if record_registration.receipt is not null then
        -- A receipt belongs to many subscriptions: the receipt of this subscription, else one with the same text.
        select coalesce(
            (select s.receipt_id from subledger.subscriptions s where s.subscription_key = key),
            (
                select min(r.receipt_id) from subledger.receipts r
                where r.app_id = record_registration.app_id
                    and md5(r.receipt) = md5(record_registration.receipt)
                    and r.receipt = record_registration.receipt
            ),
            subledger.subscription_key(app_id, 'receipt-of-' || key::text)
        ) into receipt_key;
        insert into subledger.receipts as stored (receipt_id, app_id, receipt, recorded_at)
        values (receipt_key, app_id, record_registration.receipt, now())
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

-- What the app's backend calls for each purchase: idempotent, and "check at once" when it is called again. What can be no id of the
-- store, and no receipt, is refused with a reason. Grain: one row.
create or replace function subledger.register(
    app_id text, store_key text, account_id text default null, product_id text default null,
    environment text default null, country text default null, receipt text default null,
    transfer boolean default false
) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    owning_store text;
    store_id text := subledger.trimmed(register.store_key);
    handed_receipt text := nullif(subledger.trimmed(register.receipt), '');
    handed_country text := nullif(upper(subledger.trimmed(register.country)), '');
    fault text;
begin
    select known.store into owning_store from subledger.apps known where known.app_id = register.app_id;
    if not found then
        raise exception 'app % is not configured', register.app_id using errcode = 'foreign_key_violation',
            hint = 'Add it to subledger.yaml and run subledger migrate.';
    end if;
    if store_id is null or store_id = '' then
        raise exception 'a subscription needs a store key' using errcode = 'not_null_violation',
            hint = 'App Store: the original transaction id. Play: the purchase token.';
    end if;
    fault := subledger.store_id_fault(owning_store, store_id);
    if fault is not null then
        raise exception 'bad store key: %', fault using errcode = 'invalid_parameter_value',
            hint = 'App Store: the original transaction id. Play: the purchase token.';
    end if;
    if handed_receipt !~ '^[A-Za-z0-9+/]+={0,2}$' or length(handed_receipt) % 4 <> 0 or length(handed_receipt) > 4000000 then
        raise exception 'bad receipt: it is no base64, or too long' using errcode = 'invalid_parameter_value',
            hint = 'Hand it in as the app reads it, encoded once as base64, without line breaks.';
    end if;
    if not subledger.is_country(handed_country) then
        raise exception 'bad country: two letters of ISO 3166-1, such as US or JP' using errcode = 'invalid_parameter_value',
            hint = 'The United Kingdom is GB, Greece is GR, Kosovo is XK.';
    end if;
    return subledger.record_registration(
        register.app_id, store_id, subledger.trimmed(register.account_id), subledger.trimmed(register.product_id),
        subledger.trimmed(register.environment), handed_country, handed_receipt, register.transfer);
end
$$;

comment on function subledger.register is 'Registers a purchase, idempotently; a known one is checked at once. A second account is refused, unless transfer says that it moves';
comment on function subledger.record_registration is 'Records a purchase whose store key is known to be one; register checks it before';
