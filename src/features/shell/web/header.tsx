import { ActionIcon } from '@mantine/core';
import { useOs } from '@mantine/hooks';
import { IconMenu2, IconSearch } from '@tabler/icons-react';
import type { Ref } from 'react';
import { usePhone } from '#platform/web/components/use-phone.ts';
import { ActivityBell } from './activity-bell.tsx';
import classes from './header.module.css';
import { palette } from './palette-store.ts';
import { TaskTray } from './task-tray.tsx';
import { ThemeMenu } from './theme-menu.tsx';
import { UserMenu } from './user-menu.tsx';

interface HeaderProps {
  /** Where the screen writes its title. */
  titleRef: Ref<HTMLDivElement>;
  menuOpen: boolean;
  onMenu: () => void;
}

/**
 * 52 high: title, search, tasks, notifications, theme, user. On a phone, notifications and theme
 * move into the user menu.
 */
export function Header({ titleRef, menuOpen, onMenu }: HeaderProps) {
  const phone = usePhone();
  const apple = ['macos', 'ios'].includes(useOs());
  return (
    <div className={classes.header}>
      {phone && (
        <ActionIcon
          size={40}
          className={classes.toggle}
          aria-label={menuOpen ? 'Close the menu' : 'Open the menu'}
          aria-expanded={menuOpen}
          onClick={onMenu}
        >
          <IconMenu2 size={20} stroke={1.6} />
        </ActionIcon>
      )}
      <div className={classes.title} ref={titleRef} />
      {phone ? (
        <ActionIcon size={40} aria-label="Search or go to" onClick={palette.open}>
          <IconSearch size={20} stroke={1.6} />
        </ActionIcon>
      ) : (
        <button type="button" className={classes.search} onClick={palette.open}>
          <IconSearch size={16} stroke={1.6} aria-hidden />
          <span className={classes.searchText}>Search or go to</span>
          <kbd className={classes.key}>{apple ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
      )}
      <TaskTray />
      {!phone && (
        <>
          <ActivityBell />
          <ThemeMenu />
          <span className={classes.divider} aria-hidden />
        </>
      )}
      <UserMenu />
    </div>
  );
}
