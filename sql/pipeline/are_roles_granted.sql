-- Whether this database was shared with the roles of sql/roles: they belong to the whole server, which may hold others.
-- Grain: one row.
select count(*) = 2 and bool_and(has_schema_privilege(role.oid, 'subledger', 'usage')) as are_granted
from pg_catalog.pg_roles role
where role.rolname in ('subledger_backend', 'subledger_analyst')
