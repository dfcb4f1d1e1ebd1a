import { Link } from '@tanstack/react-router';
import { createContext, type ReactNode, use, useEffect } from 'react';
import { createPortal } from 'react-dom';
import { FailedCalls } from './failed-calls.tsx';
import { MovedElsewhere } from './moved-elsewhere.tsx';
import classes from './page.module.css';

/** The parts of the shell that a screen fills. Null until the shell has rendered. */
export interface ShellSlots {
  title: HTMLElement | null;
  aside: HTMLElement | null;
  /** Tells the shell whether the panel beside the screen is in use. */
  setAsideOpen: (open: boolean) => void;
}

export const ShellSlotsContext = createContext<ShellSlots>({
  title: null,
  aside: null,
  setAsideOpen: () => {},
});

interface PageProps {
  /** The screen's name: the `h1` in the header and the title of the browser tab. */
  title: string;
  /** On a detail page, its list. Shown before the title as `Parent / Title`. */
  parent?: { label: string; to: string };
  /** One line about the screen's purpose, at the left of the first row. */
  purpose?: ReactNode;
  /** Buttons at the right of the first row, with the primary one last. */
  actions?: ReactNode;
  /** Hides the actions on a phone, where the primary one has another place. */
  hideActionsOnPhone?: boolean;
  /** `page` 16 between groups, `report` 12. */
  gap?: 'page' | 'report';
  children: ReactNode;
}

/** Gives the focus to the page's title, where what had it has gone. Nothing scrolls. */
export const focusTitle = (): void =>
  document.querySelector<HTMLElement>('h1[tabindex]')?.focus({ preventScroll: true });

/** The frame of every signed-in screen. */
export function Page(props: PageProps) {
  const { title, parent, purpose, actions, hideActionsOnPhone = false, gap = 'page', children } = props;
  const slots = use(ShellSlotsContext);
  useEffect(() => {
    document.title = `${title} – Email Manager`;
  }, [title]);
  const heading = (
    <>
      {parent && (
        <>
          <Link to={parent.to} className={classes.parent}>
            {parent.label}
          </Link>
          <span className={classes.slash} aria-hidden>
            /
          </span>
        </>
      )}
      <h1 className={classes.title} title={title} tabIndex={-1}>
        {title}
      </h1>
    </>
  );
  return (
    <>
      {slots.title && createPortal(heading, slots.title)}
      <div className={classes.page} data-gap={gap}>
        {(purpose !== undefined || actions !== undefined) && (
          <div className={hideActionsOnPhone ? `${classes.first} ${classes.phoneHidden}` : classes.first}>
            <div className={classes.purpose} {...(typeof purpose === 'string' ? { title: purpose } : {})}>
              {purpose}
            </div>
            <div className={classes.actions}>{actions}</div>
          </div>
        )}
        <FailedCalls />
        {children}
        <MovedElsewhere />
      </div>
    </>
  );
}

/**
 * A row of groups side by side. `columns` is a CSS grid template. On a phone or in a narrow window
 * there is one column.
 */
export function Columns({ columns, children }: { columns: string; children: ReactNode }) {
  return (
    <div className={classes.columns} style={{ '--columns': columns } as React.CSSProperties}>
      {children}
    </div>
  );
}

interface ToolbarProps {
  /** A `SearchField`. */
  search: ReactNode;
  /** On a phone, beside the search: the primary action as a square `ActionIcon` of 40. */
  phoneAction?: ReactNode;
  /** `FilterChips`. On a phone they get their own row. */
  children?: ReactNode;
}

/** The row above a list: the search, then the filters. */
export function Toolbar({ search, phoneAction, children }: ToolbarProps) {
  return (
    <div className={classes.toolbar}>
      {search}
      {phoneAction !== undefined && <div className={classes.phoneOnly}>{phoneAction}</div>}
      {children}
    </div>
  );
}
