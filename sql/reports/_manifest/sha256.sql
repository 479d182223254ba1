-- Grain: one row. $1 bytes
select encode(sha256($1::bytea), 'hex') as checksum
