-- When a session began.

-- A session is its login's, also where that login works under another role (alter role … set role …), which may not see when it
-- began: so it is asked as the login, and the role is as before afterwards. NULL where there is none of that number, or the login
-- may not see it either. Grain: one value.
create or replace function subledger.session_start(process integer) returns timestamptz
language sql stable set role to none as $$
    select activity.backend_start from pg_catalog.pg_stat_get_activity(session_start.process) activity
$$;

comment on function subledger.session_start is 'When the session of a process of the server began, as far as the login may see';
