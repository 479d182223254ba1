-- History is append-only: the database itself refuses to rewrite it.

create or replace function subledger.refuse_rewriting_history() returns trigger
language plpgsql
as $$
begin
    raise exception '%.% is append-only', tg_table_schema, tg_table_name using errcode = 'restrict_violation';
end
$$;

create or replace trigger append_only before update or delete on subledger.app_retirements
for each row execute function subledger.refuse_rewriting_history();
create or replace trigger append_only before update or delete on subledger.app_titles
for each row execute function subledger.refuse_rewriting_history();
create or replace trigger append_only before update or delete on subledger.commission_rules
for each row execute function subledger.refuse_rewriting_history();
create or replace trigger append_only before update or delete on subledger.fx_rates
for each row execute function subledger.refuse_rewriting_history();
create or replace trigger append_only before update or delete on subledger.ledger_entries
for each row execute function subledger.refuse_rewriting_history();
create or replace trigger append_only before update or delete on subledger.lineage_links
for each row execute function subledger.refuse_rewriting_history();
create or replace trigger append_only before update or delete on subledger.own_billing
for each row execute function subledger.refuse_rewriting_history();
create or replace trigger append_only before update or delete on subledger.prices
for each row execute function subledger.refuse_rewriting_history();
create or replace trigger append_only before update or delete on subledger.products
for each row execute function subledger.refuse_rewriting_history();
create or replace trigger append_only before update or delete on subledger.pruned_issues
for each row execute function subledger.refuse_rewriting_history();
create or replace trigger append_only before update or delete on subledger.report_issues
for each row execute function subledger.refuse_rewriting_history();
create or replace trigger append_only before update or delete on subledger.reporting_currencies
for each row execute function subledger.refuse_rewriting_history();
create or replace trigger append_only before update or delete on subledger.state_changes
for each row execute function subledger.refuse_rewriting_history();
create or replace trigger append_only before update or delete on subledger.tax_rates
for each row execute function subledger.refuse_rewriting_history();
create or replace trigger append_only before update or delete on subledger.transaction_versions
for each row execute function subledger.refuse_rewriting_history();

comment on function subledger.refuse_rewriting_history is 'Refuses to rewrite an append-only table';
