import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

interface RowMenuProps {
  /** The row's name. */
  label: string;
  /** `Menu.Item`s. Give one that removes something `data-danger`. */
  children: ReactNode;
}

/** The menu at the end of a row: always there, faint until the pointer is on the row. */
export function RowMenu({ label, children }: RowMenuProps) {
  return (
    <Menu width={200}>
      <Menu.Target>
        <ActionIcon size={28} className={classes.menuButton} aria-label={`Actions for ${label}`}>
          <IconDots size={16} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
