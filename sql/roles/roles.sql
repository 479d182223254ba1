-- Roles for those who share the database with the owner of its schema, applied once by an owner who may create roles:
-- psql -1 -v ON_ERROR_STOP=1 -f sql/roles/roles.sql
-- Grain: one role per kind of reader or writer; give them to your own login roles with `grant subledger_… to …`.
-- Where it was applied, subledger applies it again after each change of its schema: what a new version rebuilds or adds is
-- granted too. Applied twice it changes nothing.

do $$
declare
    wanted text;
begin
    foreach wanted in array array['subledger_backend', 'subledger_analyst', 'subledger_night'] loop
        if not exists (select from pg_catalog.pg_roles where rolname = wanted) then
            begin
                execute format('create role %I nologin', wanted);
            exception
                -- Roles belong to the whole server: another database of it has just made this one.
                when duplicate_object or unique_violation then null;
            end;
        end if;
    end loop;
end
$$;

-- The app's backend: hands purchases and notifications in, reads who has access. It sees no receipt, no purchase token, no
-- notification's text and no money, those that it handed in included.
grant usage on schema subledger to subledger_backend;
revoke execute on function subledger.register(text, text, text, text, text, text, text, boolean) from public;
grant execute on function subledger.register(text, text, text, text, text, text, text, boolean) to subledger_backend;
grant execute on function subledger.has_access(bigint, timestamptz) to subledger_backend;
revoke execute on function subledger.offer_eligibility(text, text, text) from public;
grant execute on function subledger.offer_eligibility(text, text, text) to subledger_backend;
grant select on subledger.entitlements to subledger_backend;
-- What it hands in is pending, under a number and a time of the database's own, and has no verdict.
revoke insert on subledger.purchase_inbox, subledger.notification_inbox from subledger_backend;
grant insert (app_id, account_id, kind, payload, signature, product_id) on subledger.purchase_inbox to subledger_backend;
grant insert (app_id, source, payload) on subledger.notification_inbox to subledger_backend;
grant select (
    purchase_id, app_id, account_id, kind, product_id, transaction_id, received_at, state, genuine, ours, is_new, is_current,
    reason, subscription_key, checked_at, attempts, last_run_id
) on subledger.purchase_inbox to subledger_backend;
grant select (
    notification_id, app_id, source, received_bytes, received_at, is_pulled, state, dedupe_key, notification_type, reason,
    handled_at, handled_run_id
) on subledger.notification_inbox to subledger_backend;

-- The analyst: reports, transactions and the ledger. No receipt, no purchase token, no raw answer. Of the subscriptions only
-- whose they are, which states by date need.
grant usage on schema report, marts, subledger to subledger_analyst;
-- Of schemas report and marts what subledger made: what else others have there is theirs to grant.
do $$
declare
    own record;
begin
    -- Names are compared as they are written without quotes.
    perform set_config('quote_all_identifiers', 'off', true);
    for own in
        select described.type, described.identity
        from pg_catalog.pg_depend link
        cross join lateral pg_identify_object(link.classid, link.objid, 0) described
        join subledger.schema_objects made on made.identity = described.type || ' ' || described.identity
        where link.refclassid = 'pg_namespace'::regclass
            and link.refobjid in ('report'::regnamespace, 'marts'::regnamespace)
            and link.deptype = 'n'
            and described.type in ('table', 'view', 'function', 'procedure', 'aggregate')
    loop
        if own.type in ('table', 'view') then
            execute format('grant select on %s to subledger_analyst', own.identity);
        elsif own.type <> 'procedure' then
            execute format('grant execute on routine %s to subledger_analyst', own.identity);
        end if;
    end loop;
end
$$;
grant select on
    subledger.transactions, subledger.transaction_versions, subledger.ledger_entries, subledger.state_changes,
    subledger.products, subledger.prices, subledger.fx_rates, subledger.commission_rules, subledger.tax_rates,
    subledger.runs, subledger.run_apps, subledger.report_issues, subledger.apps, subledger.settings,
    subledger.reporting_currencies, subledger.lineage_links, subledger.own_billing,
    subledger.app_retirements, subledger.app_titles
to subledger_analyst;
grant select (subscription_key, lineage_key, app_id, store, environment) on subledger.subscriptions to subledger_analyst;

-- The night: every job but migrate. It reads and writes the rows of our tables and makes nothing in a schema; for tables of its
-- session it needs TEMP on the database, which everybody has unless the owner took it away. History has no TRUNCATE. Of the files
-- of the schema it may lock the list, so that none is applied while a run begins, and changes none.
grant usage on schema subledger, marts, report to subledger_night;
do $$
declare
    own record;
begin
    perform set_config('quote_all_identifiers', 'off', true);
    for own in
        select described.type, described.identity, described.schema
        from pg_catalog.pg_depend link
        cross join lateral pg_identify_object(link.classid, link.objid, 0) described
        join subledger.schema_objects made on made.identity = described.type || ' ' || described.identity
        where link.refclassid = 'pg_namespace'::regclass
            and link.refobjid in ('subledger'::regnamespace, 'marts'::regnamespace, 'report'::regnamespace)
            and link.deptype = 'n'
            and described.type in ('table', 'view', 'function', 'procedure', 'aggregate')
    loop
        if own.type = 'view' or own.identity in ('subledger.schema_files', 'subledger.schema_objects') then
            execute format('grant select on %s to subledger_night', own.identity);
        elsif own.type = 'table' then
            execute format(
                'grant select, insert, update, delete%s on %s to subledger_night',
                case when own.schema = 'marts' then ', truncate' end, own.identity);
        else
            execute format('grant execute on routine %s to subledger_night', own.identity);
        end if;
    end loop;
end
$$;
grant update (applied_at) on subledger.schema_files to subledger_night;
