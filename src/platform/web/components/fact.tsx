import type { ReactNode } from 'react';
import classes from './fact.module.css';

interface FactProps {
  /** Above it, where a card holds several. */
  label?: string | undefined;
  /** What is so. */
  children: ReactNode;
  /** The buttons that change it. */
  actions: ReactNode;
}

/** In a card: something that is so, and what can be done about it. */
export function Fact({ label, children, actions }: FactProps) {
  return (
    <div className={classes.fact}>
      {label !== undefined && <span className={classes.label}>{label}</span>}
      <span className={classes.value}>{children}</span>
      <span className={classes.actions}>{actions}</span>
    </div>
  );
}

/** More about it, smaller. */
export function About({ children }: { children: ReactNode }) {
  return <span className={classes.about}>{children}</span>;
}
