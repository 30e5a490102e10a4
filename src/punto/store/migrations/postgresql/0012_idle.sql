-- When something was last given in a session: one of staff that is idle for some minutes is locked.
alter table session add column active_at bigint;  -- null in sessions from before
