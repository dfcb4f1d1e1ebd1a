import { Link } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, type Ref, useEffect } from 'react';
import { BrandLine } from './logo.tsx';
import classes from './plain-frame.module.css';

interface PlainFrameProps {
  title: string;
  children: ReactNode;
  /** At the right, if there is room. */
  aside?: ReactNode;
  footer?: ReactNode;
}

/** The frame of every page outside the shell: one task, in the middle. */
export function PlainFrame({ title, children, aside, footer }: PlainFrameProps) {
  useEffect(() => {
    document.title = `${title} – Email Manager`;
  }, [title]);
  const page = (
    <div className={classes.page}>
      <header className={classes.head}>
        <Link to="/" className={classes.home}>
          <BrandLine />
        </Link>
      </header>
      <main className={classes.middle}>
        <div className={classes.content}>
          <h1 className={classes.title}>{title}</h1>
          {children}
        </div>
      </main>
      {footer !== undefined && <footer className={classes.footer}>{footer}</footer>}
    </div>
  );
  if (aside === undefined) return page;
  return (
    <div className={classes.withAside}>
      {page}
      <aside className={classes.aside}>
        <div>{aside}</div>
      </aside>
    </div>
  );
}

/** A paragraph under the title. */
export function Lines({ children, announced = false }: { children: ReactNode; announced?: boolean }) {
  return (
    <p className={classes.lines} role={announced ? 'status' : undefined}>
      {children}
    </p>
  );
}

/** Fields and buttons, one under the other. */
export function Fields({ children }: { children: ReactNode }) {
  return <div className={classes.fields}>{children}</div>;
}

interface PlainFormProps {
  children: ReactNode;
  onSubmit: () => void;
  ref?: Ref<HTMLFormElement>;
}

/** Fields and buttons that are sent together. */
export function PlainForm({ children, onSubmit, ref }: PlainFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form className={classes.fields} onSubmit={submit} ref={ref} noValidate>
      {children}
    </form>
  );
}

/** Other options, under the button. */
export function Below({ children }: { children: ReactNode }) {
  return <p className={classes.below}>{children}</p>;
}

/** Small print. */
export function Small({ children }: { children: ReactNode }) {
  return <div className={classes.small}>{children}</div>;
}
