import { ActionIcon, Popover } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './header.module.css';
import { RecentActivities, useUnread } from './recent-activities.tsx';

/** The notifications button; its dot says that something has happened since it was last opened. */
export function ActivityBell() {
  const [opened, setOpened] = useState(false);
  const unread = useUnread();
  useHotkeys(opened ? [['Escape', () => setOpened(false)]] : []);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={360}>
      <Popover.Target>
        <ActionIcon
          className={classes.bell}
          aria-label={unread ? 'Notifications, new activity' : 'Notifications'}
          onClick={() => setOpened((open) => !open)}
        >
          <IconBell size={18} stroke={1.6} />
          {unread && <span className={classes.unread} />}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label="Notifications">
        <RecentActivities />
      </Popover.Dropdown>
    </Popover>
  );
}
