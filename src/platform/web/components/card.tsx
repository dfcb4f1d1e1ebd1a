import type { ReactNode } from 'react';
import { useId } from 'react';
import classes from './card.module.css';

interface CardProps {
  /** 14/20 600 at the head of the group. */
  title?: ReactNode;
  /** Dim words after the title: "7 found, 6 will be kept". */
  hint?: ReactNode;
  /** At the right of the head: a link, a search field, a number. */
  action?: ReactNode;
  /** No padding around the content: for a table or a list of rows. */
  flush?: boolean;
  /** On the sunk background instead of the card's, for notes and drop areas. */
  sunk?: boolean;
  /** A dashed line, for places where something can be dropped. */
  dashed?: boolean;
  children: ReactNode;
}

/** A group: a hairline around things that belong together. */
export function Card({
  title,
  hint,
  action,
  flush = false,
  sunk = false,
  dashed = false,
  children,
}: CardProps) {
  const id = useId();
  const titled = title !== undefined;
  return (
    <section
      className={classes.card}
      data-sunk={sunk || undefined}
      data-dashed={dashed || undefined}
      aria-labelledby={titled ? id : undefined}
    >
      {(titled || action !== undefined) && (
        <div className={classes.head}>
          <div className={classes.heading}>
            <h2 className={classes.title} id={id}>
              {title}
            </h2>
            {hint !== undefined && <span className={classes.hint}>{hint}</span>}
          </div>
          {action}
        </div>
      )}
      <div className={flush ? classes.flush : titled ? classes.bodyUnderHead : classes.body}>{children}</div>
    </section>
  );
}
