-- The day on which sql/data/commission_rules.sql was last compared with the stores' pages: the report says it, and warns when it is
-- long ago.
create or replace function subledger.commission_rules_compared_on() returns date
language sql immutable
return '2026-11-26'::date;

comment on function subledger.commission_rules_compared_on is 'When the published commission rules were last compared with the stores'' pages';
