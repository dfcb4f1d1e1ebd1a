-- Who began an import, as the audit log names them: a person by email address, a program by its key. `created_by` is the person behind either.
alter table imports add column actor text;

update imports i set actor = u.email from users u where u.id = i.created_by::bigint;
