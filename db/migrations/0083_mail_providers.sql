-- Who takes the mail of a domain: the organisation of its first mail server, such as google.com for
-- each domain whose mail Google hosts. Null: not asked since this column is there, or no MX record.
alter table domain_mail add column provider text collate "C";
