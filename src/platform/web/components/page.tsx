import { Link } from '@tanstack/react-router';
import { createContext, type ReactNode, use, useEffect } from 'react';
import { createPortal } from 'react-dom';
import classes from './page.module.css';

/** Places of the shell that a screen writes into. Null until the shell is drawn. */
export interface ShellSlots {
  title: HTMLElement | null;
  aside: HTMLElement | null;
  /** Tells the shell that the place beside the screen is in use. */
  setAsideOpen: (open: boolean) => void;
}

export const ShellSlotsContext = createContext<ShellSlots>({
  title: null,
  aside: null,
  setAsideOpen: () => {},
});

interface PageProps {
  /** The name of the screen: the `h1` in the header and the title of the browser tab. */
  title: string;
  /** On a detail page, the list it belongs to: shown before the title as `Parent / Title`. */
  parent?: { label: string; to: string };
  /** One line of purpose at the left of the first row. */
  purpose?: ReactNode;
  /** Buttons at the right of the first row, the primary one last. */
  actions?: ReactNode;
  /** Leave the actions out on a phone, where the screen has another place for the primary one. */
  hideActionsOnPhone?: boolean;
  /** `page` 16 between groups, `report` 12. */
  gap?: 'page' | 'report';
  children: ReactNode;
}

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
      <h1 className={classes.title} title={title}>
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
        {children}
      </div>
    </>
  );
}

/**
 * A row of groups side by side: `columns` is a CSS grid template, one column on a phone or a narrow
 * window.
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
  /** `FilterChips`; on a phone in a row of their own. */
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
