-- owner: activities
-- What rings the bell for a person, in all their workspaces; without a row everything does. Like the person it belongs to no
-- tenant.
create table notification_choices (
  user_id bigint primary key references users (id) on delete cascade,
  finished boolean not null default true,
  failed boolean not null default true,
  invitations boolean not null default true
);
