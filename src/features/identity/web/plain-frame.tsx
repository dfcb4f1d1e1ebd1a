import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { LogoMark } from '#platform/web/components/logo.tsx';
import classes from './auth-page.module.css';

/** The frame of what a mailed link leads to: one thing to do, in the middle. */
export function PlainFrame({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} – Email Manager`;
  }, [title]);
  return (
    <div className={classes.single}>
      <header className={classes.brand}>
        <Link to="/" className={classes.home}>
          <LogoMark />
          <span>
            <span className={classes.name}>Email Manager</span>
            <span className={classes.subtitle}>Marketing Database</span>
          </span>
        </Link>
      </header>
      <main className={classes.middle}>
        <div className={classes.form}>
          <h1 className={classes.title}>{title}</h1>
          {children}
        </div>
      </main>
    </div>
  );
}
