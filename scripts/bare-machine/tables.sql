-- What is in the books, to compare two runs of the same nights: everything but what the machine's clock, a process or a signature's
-- chance decides, and what an upgrade changes by itself: which files of the schema were applied, the made-up column, and since when all is
-- proved, which begins again. Grain: one row per table
with own (name, columns) as (
    values
        ('subledger.runs', '{started_at,finished_at,sealed_at,host,process_id,leased_until,finish_by,request_number}'::text[]),
        ('subledger.run_apps', '{closed_at}'), ('subledger.run_hosts', '{host_name,machine,process_id,seen_at}'),
        ('subledger.run_chunks', '{leased_by,leased_until,loads}'),
        ('subledger.quota_slices', '{free_from,interval_until,regular_until,preferred_from}'),
        ('subledger.report_issues', '{issued_at,path,manifest_sha256}'),
        ('subledger.subscriptions', '{registered_at}'), ('subledger.transactions', '{made_up}'),
        ('subledger.store_answers', '{body}'), ('subledger.signing_chains', '{chain_id,header}'),
        ('subledger.receipts', '{recorded_at}')
)

select format(
    'select %L as name, count(*) as rows, md5(coalesce(string_agg(line, chr(10) order by line collate "C"), '''')) as sum '
        'from (select (to_jsonb(stored) - %L::text[])::text as line from %s stored) lines',
    known.name, coalesce(own.columns, '{}'), known.name)
from (
    select format('%I.%I', home.nspname, relation.relname) as name
    from pg_catalog.pg_class relation
    join pg_catalog.pg_namespace home on home.oid = relation.relnamespace
    where home.nspname in ('subledger', 'marts') and relation.relkind = 'r'
) known
left join own on own.name = known.name
where known.name not in ('subledger.schema_files', 'marts.checked')
order by known.name
\gexec
