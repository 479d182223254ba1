-- The numbers of seals.

-- Which history of the server this is: another one since a standby took its place, or since it was restored to a point in time. NULL where
-- the server does not say so.
-- Grain: one value.
create or replace function subledger.server_timeline() returns text
language plpgsql volatile as $$
begin
    return left(pg_walfile_name(pg_current_wal_insert_lsn()), 8);
exception when others then
    return null;
end
$$;

comment on function subledger.server_timeline is 'The timeline of the server''s log: another one since a standby was promoted, or a backup restored';

-- Gives the next seal. The settings row serialises seals, so they are numbered in the order of commits. On another timeline than the last
-- one was given on, seals may be lost that somebody has seen, in an issue or by `report --as-of`: as many are passed over as a week of
-- intakes every minute would have given, so that none means two things.
-- Grain: one value, and the one row of settings.
create or replace function subledger.give_seal() returns bigint
language sql volatile as $$
    update subledger.settings set
        last_seal = last_seal + 1 + case when settings.timeline <> server.timeline then 10000 else 0 end,
        timeline = coalesce(server.timeline, settings.timeline)
    from (select subledger.server_timeline() as timeline) server
    returning last_seal
$$;

comment on function subledger.give_seal is 'Gives the next seal; on another timeline of the server, one above all that may have been lost';
