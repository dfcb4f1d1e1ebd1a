-- Who changed a view last, to name them to whoever would overwrite that. Null: nobody since it was saved, or before this was kept.
alter table saved_views add column updated_by bigint;
