import { ActionIcon, type ActionIconProps, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type ComponentPropsWithRef, type ReactNode, useState } from 'react';
import classes from './data-table.module.css';

interface RowMenuProps {
  /** The row's name. */
  label: string;
  /**
   * Makes the `Menu.Item`s, each time it is drawn. Give one that removes something `data-danger`.
   */
  children: () => ReactNode;
}

/**
 * The menu at the end of a row: always there, faint until the pointer is on the row. Until it is
 * opened there is only its button, because a table has fifty of them.
 */
export function RowMenu({ label, children }: RowMenuProps) {
  const [used, setUsed] = useState(false);
  if (!used)
    return (
      <MenuButton label={label} aria-haspopup="menu" aria-expanded={false} onClick={() => setUsed(true)} />
    );
  return (
    <Menu width={200} defaultOpened>
      <Menu.Target>
        <MenuButton label={label} />
      </Menu.Target>
      <Menu.Dropdown>{children()}</Menu.Dropdown>
    </Menu>
  );
}

type MenuButtonProps = { label: string } & ActionIconProps & ComponentPropsWithRef<'button'>;

const MenuButton = ({ label, ...props }: MenuButtonProps) => (
  <ActionIcon {...props} size={28} className={classes.menuButton} aria-label={`Actions for ${label}`}>
    <IconDots size={16} stroke={1.6} />
  </ActionIcon>
);
