import { Drawer, Menu } from '@mantine/core';
import { IconBell, IconLogout, IconMailbox, IconUserCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { signOut } from '#features/sign-in/web/index.ts';
import { usePhone } from '#platform/web/components/use-phone.ts';
import { useCurrentUser, useMay } from '#platform/web/current-user.ts';
import { toastFailed } from '#platform/web/toast.tsx';
import classes from './header.module.css';
import { NotificationList } from './notifications.tsx';
import { ThemeItems } from './theme-menu.tsx';

/** Who is signed in, and signing out. On a phone, also the notifications and the theme. */
export function UserMenu() {
  const user = useCurrentUser();
  const phone = usePhone();
  const [activities, setActivities] = useState(false);
  const name = user.name || user.email;
  const seesOutbox = useMay('admin') || user.isAdmin;
  const leave = () =>
    signOut().catch(() =>
      toastFailed({ title: 'Error', message: 'You could not be signed out. Please try again.' }),
    );
  return (
    <>
      <Menu width={240}>
        <Menu.Target>
          <button type="button" className={classes.user} aria-label={`Account: ${name}`}>
            <span className={classes.avatar} aria-hidden>
              {name.charAt(0).toUpperCase()}
            </span>
            <span className={classes.userName}>{name}</span>
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <div className={classes.who}>
            <div className={classes.whoName}>{name}</div>
            <div className={classes.whoEmail}>{user.email}</div>
          </div>
          <Menu.Divider />
          {phone && (
            <>
              <Menu.Item
                leftSection={<IconBell size={16} stroke={1.6} />}
                onClick={() => setActivities(true)}
              >
                Notifications
              </Menu.Item>
              <Menu.Divider />
              <ThemeItems />
              <Menu.Divider />
            </>
          )}
          <Menu.Item
            leftSection={<IconUserCircle size={16} stroke={1.6} />}
            renderRoot={(props) => <Link to="/account" {...props} />}
          >
            Your account
          </Menu.Item>
          {seesOutbox && (
            <Menu.Item
              leftSection={<IconMailbox size={16} stroke={1.6} />}
              renderRoot={(props) => <Link to="/outbox" {...props} />}
            >
              Outbox
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconLogout size={16} stroke={1.6} />} onClick={() => void leave()}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Drawer
        opened={activities}
        onClose={() => setActivities(false)}
        position="bottom"
        padding={0}
        classNames={{ header: classes.drawerHead }}
        title="Notifications"
      >
        <NotificationList titled={false} />
      </Drawer>
    </>
  );
}
