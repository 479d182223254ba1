-- What somebody has set for this login or this database (alter role … set, alter database … set). Grain: one row per setting and place
select
    case
        when stored.setrole <> 0 and stored.setdatabase <> 0 then 'role in this database'
        when stored.setrole <> 0 then 'role'
        else 'database'
    end as place,
    split_part(setting, '=', 1) as name
from pg_catalog.pg_db_role_setting stored
cross join lateral unnest(stored.setconfig) setting
where stored.setrole in (0, (select own.oid from pg_catalog.pg_roles own where own.rolname = session_user))
    and stored.setdatabase in (0, (select here.oid from pg_catalog.pg_database here where here.datname = current_database()))
    and (stored.setrole <> 0 or stored.setdatabase <> 0)
order by 2, 1
