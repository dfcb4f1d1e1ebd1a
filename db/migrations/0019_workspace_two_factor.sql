-- True where members need two-factor sign-in to be at work here.
alter table workspaces add column requires_two_factor boolean not null default false;
