-- The newest seal: what the views of schema report show. Grain: no row before the first run is sealed, else one.
create or replace function subledger.newest_seal() returns table (seal bigint, business_date date)
language sql stable
as $$
    select run.seal, run.business_date
    from subledger.runs run
    where run.seal is not null
    order by run.seal desc
    limit 1
$$;

comment on function subledger.newest_seal is 'The last sealed run: its seal and its business date';
