-- When the invited person last saw the invitation under their bell. Sent again after that, it is new to them once more.
alter table invitations add column seen_at timestamptz;
