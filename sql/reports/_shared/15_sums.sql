-- Sums that are kept from night to night, so that a night's reports cost what the night touched.
--
-- A report folder with a file sums.sql has a table report.NAME_sums, whose primary key says what a figure is of and whose
-- other columns are exact sums, and a function report.NAME_sums_as_of(seal, subscriptions, time_zone) that gives the same
-- columns as those subscriptions make them (NULL: all of them). What a night touched is taken out as the last seal knew it
-- and put in as the new one does. A reference table that only prices what is summed (exchange rates, commission, tax) is
-- looked up when a report is read, and moves no sum.
--
-- Reports read report.NAME_sums_at(seal, time_zone): the table where it stands at the seal that is asked for, and the function
-- where it does not: an earlier seal, another time zone. Both give the same figures; `report --rebuild` proves it. Its rows
-- are the table's, so a sums.sql ends by making it: call report.make_reader('NAME'). Only recognised revenue, which is cheaper
-- to make for some days than for all, reads the two by itself.

-- Where the sums stand. Grain: one row; none until they were first made, and after any definition has changed.
drop table if exists report.kept cascade;
create table report.kept (
    only_row boolean primary key default true check (only_row),
    seal bigint not null,
    time_zone text not null
);

create or replace function report.is_kept(seal bigint, time_zone text) returns boolean
language sql stable
as $$
    select exists (
        select from report.kept where kept.seal = is_kept.seal and kept.time_zone = is_kept.time_zone
    )
$$;

create or replace procedure report.make_reader(report_name text)
language plpgsql
as $make$
begin
    execute format(
        $reader$
        create or replace function report.%1$I(seal bigint, time_zone text) returns setof report.%2$I
        language sql stable
        as $sums$
            select held.* from report.%2$I held where report.is_kept(%1$I.seal, %1$I.time_zone)
            union all
            select made.*
            from report.%3$I(%1$I.seal, null, %1$I.time_zone) made
            where not report.is_kept(%1$I.seal, %1$I.time_zone)
        $sums$
        $reader$,
        report_name || '_sums_at', report_name || '_sums', report_name || '_sums_as_of');
    execute format(
        'comment on function report.%I is %L', report_name || '_sums_at',
        'The sums of everything, as of a seal: read where they are kept, else made');
end
$make$;

-- Some subscriptions with all that share a lineage with them or ever did. A lineage bears the key of one of its subscriptions.
create or replace function report.whole_lineages(subscriptions bigint[]) returns bigint[]
language sql stable
set enable_nestloop = on
set jit = off
as $$
    with recursive reached as (
        select part.key from unnest(whole_lineages.subscriptions) part (key)
        union
        select next.key
        from reached
        cross join lateral (
            select image.lineage_key as key
            from subledger.transaction_versions image
            where image.subscription_key = reached.key
            union all
            select image.subscription_key
            from subledger.transaction_versions image
            where image.lineage_key = reached.key and image.lineage_key <> image.subscription_key
            union all
            -- A purchase without an order of its own yet has no image.
            select link.linked_subscription_key
            from subledger.lineage_links link
            where link.subscription_key = reached.key
            union all
            select link.subscription_key
            from subledger.lineage_links link
            where link.linked_subscription_key = reached.key
        ) next
    )

    select coalesce(array_agg(reached.key), '{}') from reached
$$;

-- The subscriptions that runs sealed after one seal, up to another, wrote of, with all that share a lineage with them or
-- ever did. A product whose catalogue row changed counts as written of, whoever bought it.
create or replace function report.reached_subscriptions(after_seal bigint, through_seal bigint) returns bigint[]
language sql stable
set enable_nestloop = on
set jit = off
as $$
    with news as materialized (
        select run.run_id
        from subledger.runs run
        where run.seal > reached_subscriptions.after_seal and run.seal <= reached_subscriptions.through_seal
    ),

    written as (
        select image.subscription_key
        from subledger.transaction_versions image
        where image.run_id = any (array(select news.run_id from news))
        union
        select entry.subscription_key
        from subledger.ledger_entries entry
        where entry.run_id = any (array(select news.run_id from news))
        union
        select change.subscription_key
        from subledger.state_changes change
        where change.run_id = any (array(select news.run_id from news))
        union
        select image.subscription_key
        from subledger.transaction_versions image
        where exists (
                select from subledger.products known
                where known.recorded_run_id = any (array(select news.run_id from news))
            )
            and (image.app_id, image.product_id) in (
                select known.app_id, known.product_id
                from subledger.products known
                where known.recorded_run_id = any (array(select news.run_id from news))
            )
    )

    select report.whole_lineages(array(select written.subscription_key from written))
$$;

-- One report's sums moved on. Returns the rows written. With subscriptions: from what these were at the held seal to what
-- they are at the new one. Without: from what the table holds to what everything makes, so that a rebuild writes nothing
-- where the table was right.
--
-- A folder may know a cheaper way to the difference of two seals: report.NAME_sums_moved(held_seal, seal, subscriptions,
-- time_zone), the same columns, each row to be added.
create or replace function report.move_sums(
    report_name text, held_seal bigint, seal bigint, subscriptions bigint[], time_zone text
) returns bigint
language plpgsql
as $$
declare
    sums constant text := format('report.%I', report_name || '_sums');
    maker constant text := format('report.%I', report_name || '_sums_as_of');
    mover constant text := format('report.%I', report_name || '_sums_moved');
    keys text;
    same_key text;
    figures text;
    negated text;
    added text;
    any_moved text;
    all_gone text;
    updates text;
    moved text;
    written bigint;
begin
    select
        string_agg(format('%I', part.attname), ', ') filter (where not part.is_figure),
        string_agg(format('held.%1$I = moved.%1$I', part.attname), ' and ') filter (where not part.is_figure),
        string_agg(format('%I', part.attname), ', ') filter (where part.is_figure),
        string_agg(format('-%I', part.attname), ', ') filter (where part.is_figure),
        string_agg(format('sum(%1$I) as %1$I', part.attname), ', ') filter (where part.is_figure),
        string_agg(format('sum(%I) <> 0', part.attname), ' or ') filter (where part.is_figure),
        string_agg(format('held.%1$I + moved.%1$I = 0', part.attname), ' and ') filter (where part.is_figure),
        string_agg(format('%1$I = held.%1$I + excluded.%1$I', part.attname), ', ') filter (where part.is_figure)
    into keys, same_key, figures, negated, added, any_moved, all_gone, updates
    from (
        select
            attribute.attname,
            attribute.attnum <> all (key.conkey) as is_figure
        from pg_catalog.pg_attribute attribute
        join pg_catalog.pg_constraint key on key.conrelid = attribute.attrelid and key.contype = 'p'
        where attribute.attrelid = to_regclass(sums) and attribute.attnum > 0 and not attribute.attisdropped
        order by attribute.attnum
    ) part;

    moved := case
        when subscriptions is null then format(
            'select %1$s, %2$s from %3$s($2, null, $4) union all select %1$s, %4$s from %5$s',
            keys, figures, maker, negated, sums)
        when to_regprocedure(mover || '(bigint, bigint, bigint[], text)') is not null then format(
            'select %1$s, %2$s from %3$s($1, $2, $3, $4)', keys, figures, mover)
        else format(
            'select %1$s, %2$s from %3$s($2, $3, $4) union all select %1$s, %4$s from %3$s($1, $3, $4)',
            keys, figures, maker, negated)
    end;

    execute format(
        'with moved as materialized (
            select %1$s, %3$s from (%4$s) sides group by %1$s having %5$s
        ),

        emptied as (
            delete from %6$s held using moved where %7$s and %8$s returning 1
        ),

        written as (
            insert into %6$s as held (%1$s, %2$s)
            select %1$s, %2$s from moved
            where not exists (select from %6$s held where %7$s and %8$s)
            -- Sorted, so that all are found before the first is written: a search that goes over the table from its start,
            -- which is right for an empty one, would else pass by every row just written, for each row.
            order by %1$s
            on conflict (%1$s) do update set %9$s
            returning 1
        )

        select (select count(*) from emptied) + (select count(*) from written)',
        keys, figures, added, moved, any_moved, sums, same_key, all_gone, updates)
    into written
    using held_seal, seal, subscriptions, time_zone;
    return written;
end
$$;

-- All sums moved on to a seal; a rebuild then makes them anew beside what they came to. Grain: one row per report with
-- sums. written: rows that moved; corrected: rows that a rebuild found otherwise, none where every night was right. No row
-- where the sums stand there already, or beyond: an earlier seal's report is reckoned from the history.
drop function if exists report.keep_sums(bigint, text, boolean);
create function report.keep_sums(seal bigint, time_zone text, is_rebuild boolean)
returns table (report_name text, written bigint, corrected bigint)
language plpgsql
set jit = off
set work_mem = '64MB'
as $$
declare
    held report.kept;
    is_known boolean;
    reached bigint[];
begin
    -- One at a time; whoever waited sees where the other one left them.
    lock table report.kept in share row exclusive mode;
    select kept.* into held from report.kept;
    if held.seal > keep_sums.seal
        or held.seal = keep_sums.seal and held.time_zone = keep_sums.time_zone and not keep_sums.is_rebuild
    then
        return;
    end if;
    is_known := coalesce(held.time_zone = keep_sums.time_zone, false);
    if is_known then
        reached := report.reached_subscriptions(held.seal, keep_sums.seal);
    end if;

    for report_name in
        select left(relation.relname, -length('_sums'))
        from pg_catalog.pg_class relation
        where relation.relnamespace = 'report'::regnamespace
            and relation.relkind = 'r'
            and relation.relname like '%\_sums'
        order by relation.relname collate "C"
    loop
        written := report.move_sums(report_name, held.seal, keep_sums.seal, reached, keep_sums.time_zone);
        corrected := 0;
        if is_known and keep_sums.is_rebuild then
            corrected := report.move_sums(report_name, null, keep_sums.seal, null, keep_sums.time_zone);
        end if;
        return next;
    end loop;

    insert into report.kept as standing (seal, time_zone) values (keep_sums.seal, keep_sums.time_zone)
    on conflict (only_row) do update set seal = excluded.seal, time_zone = excluded.time_zone;
end
$$;

comment on table report.kept is 'The seal and the time zone that the kept sums stand at';
comment on column report.kept.only_row is 'Always true: there is one row';
comment on column report.kept.seal is 'What runs sealed by then wrote is summed';
comment on column report.kept.time_zone is 'Zone of the days: that of the reports';
comment on procedure report.make_reader is 'Makes the function that reads one report''s kept sums, or makes them where they do not stand';
comment on function report.is_kept is 'Whether the kept sums stand at that seal, in days of that zone';
comment on function report.whole_lineages is 'Some subscriptions with all that share a lineage with them or ever did';
comment on function report.reached_subscriptions is 'Subscriptions that runs sealed between two seals wrote of, with their whole lineages';
comment on function report.move_sums is 'Moves one report''s kept sums from one seal to another; gives the rows written';
comment on function report.keep_sums is 'Moves all kept sums on to a seal, or makes them anew; gives the rows written by report';
