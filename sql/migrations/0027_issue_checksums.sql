-- What was issued can be proved unchanged: each issue's manifest holds the checksums of its files, and the next issue's manifest
-- that of the manifest before it.
alter table subledger.report_issues add column manifest_sha256 text check (manifest_sha256 ~ '^[0-9a-f]{64}$');
comment on column subledger.report_issues.manifest_sha256 is 'SHA-256 of its manifest.json, in hex, which holds those of its files; NULL: issued before they were kept';
