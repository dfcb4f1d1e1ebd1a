-- Names of extra fields that no contact has were kept for ever. The nightly work forgets them once
-- nobody has used them for a while. Those that are there count as used now.
lock table contact_field_names in access exclusive mode;
alter table contact_field_names add column used_at timestamptz not null default now();
