import type { ReactNode } from 'react';
import classes from './fact.module.css';

interface FactProps {
  /** Above it, if a card holds several facts. */
  label?: string | undefined;
  /** The fact itself. */
  children: ReactNode;
  /** The buttons that change it. */
  actions: ReactNode;
}

/** A fact in a card, and what can be done about it. */
export function Fact({ label, children, actions }: FactProps) {
  return (
    <div className={classes.fact}>
      {label !== undefined && <span className={classes.label}>{label}</span>}
      <span className={classes.value}>{children}</span>
      <span className={classes.actions}>{actions}</span>
    </div>
  );
}

/** More about the fact, in smaller text. */
export function About({ children }: { children: ReactNode }) {
  return <span className={classes.about}>{children}</span>;
}
