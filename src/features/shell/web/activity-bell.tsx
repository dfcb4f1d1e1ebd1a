import { ActionIcon, Popover } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './header.module.css';
import { NotificationList, useUnread } from './notifications.tsx';

/**
 * The notifications button. Its number shows how much has ended or failed since this person last
 * looked.
 */
export function ActivityBell() {
  const [opened, setOpened] = useState(false);
  const unread = useUnread();
  useHotkeys(opened ? [['Escape', () => setOpened(false)]] : []);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={360}>
      <Popover.Target>
        <ActionIcon
          className={classes.bell}
          aria-label={unread > 0 ? `Notifications, ${unread} new` : 'Notifications'}
          onClick={() => setOpened((open) => !open)}
        >
          <IconBell size={18} stroke={1.6} />
          {unread > 0 && (
            <span className={classes.unread} aria-hidden>
              {unread > 9 ? '9+' : unread}
            </span>
          )}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label="Notifications">
        <NotificationList />
      </Popover.Dropdown>
    </Popover>
  );
}
