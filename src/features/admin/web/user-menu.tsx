import { Menu } from '@mantine/core';
import { IconLockOpen, IconLogout, IconUserOff } from '@tabler/icons-react';
import type { AdminUser } from '../contract.ts';
import type { UserAct } from './user-dialog.tsx';

/** What can be done about one person. */
export function UserMenu({ user, onAct }: { user: AdminUser; onAct: (act: UserAct) => void }) {
  const item = { size: 16, stroke: 1.6 };
  if (user.isYou) return <Menu.Label>This is you</Menu.Label>;
  return (
    <>
      <Menu.Item
        leftSection={<IconLogout {...item} />}
        disabled={user.sessions === 0}
        onClick={() => onAct({ kind: 'sign-out', user })}
      >
        Sign out everywhere
      </Menu.Item>
      <Menu.Divider />
      {user.status === 'suspended' ? (
        <Menu.Item leftSection={<IconLockOpen {...item} />} onClick={() => onAct({ kind: 'lift', user })}>
          Lift suspension
        </Menu.Item>
      ) : (
        <Menu.Item
          data-danger
          leftSection={<IconUserOff {...item} />}
          onClick={() => onAct({ kind: 'suspend', user })}
        >
          Suspend
        </Menu.Item>
      )}
    </>
  );
}
