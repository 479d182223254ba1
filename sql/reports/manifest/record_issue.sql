-- Records that a run's report was issued, once. The settings row is locked meanwhile: no seal is given between reading the last
-- one and saying so, and every seal has the issue either before it or behind it.
-- $1 run, $2 seal, $3 business date, $4 folder, $5 SHA-256 of its manifest, $6 checks that failed
insert into subledger.report_issues (run_id, seal, business_date, path, manifest_sha256, failed_checks, last_seal)
select $1::bigint, $2::bigint, $3::date, $4::text, $5::text, $6::bigint, stored.last_seal
from (select settings.last_seal from subledger.settings for update) stored
on conflict (run_id) do nothing
