-- Who clicked or left is found among the many who only opened.
create index tracked_sends_clicked on tracked_sends (workspace_id, mailing_id, send_id)
  where clicked_at is not null or left_at is not null;
