import { Button, type ButtonProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import classes from './links.module.css';

interface Target {
  /** A path of the product. */
  to: string;
  search?: Record<string, unknown>;
  title?: string;
  children: ReactNode;
}

type ButtonTarget = Target &
  ButtonProps & {
    /** What the next screen may know and the address must not say. */
    state?: NonNullable<ComponentProps<typeof Link>['state']>;
  };

/**
 * A button that leads somewhere. It can open in a new tab, and pointing at it fetches its screen.
 */
export function LinkButton({ to, search = {}, state = {}, children, ...rest }: ButtonTarget) {
  return (
    <Button {...rest} renderRoot={(props) => <Link to={to} search={search} state={state} {...props} />}>
      {children}
    </Button>
  );
}

interface TextTarget extends Target {
  /** The part of the page to show first. */
  hash?: string;
  label?: string;
}

/**
 * A link in the accent colour, for the head of a group: "View all". `label` says where it leads,
 * where its words alone do not tell a screen reader.
 */
export function TextLink({ to, search = {}, hash, label, children }: TextTarget) {
  return (
    <Link to={to} search={search} className={classes.link} aria-label={label} {...(hash && { hash })}>
      {children}
    </Link>
  );
}

interface TextButtonProps {
  onClick: () => void;
  /** While the work that it started is running. */
  disabled?: boolean;
  /** What it does, where its words alone do not tell a screen reader. */
  label?: string;
  children: ReactNode;
}

/** Looks like `TextLink` but does something here instead: "Try again". */
export function TextButton({ onClick, disabled = false, label, children }: TextButtonProps) {
  return (
    <button type="button" className={classes.link} disabled={disabled} aria-label={label} onClick={onClick}>
      {children}
    </button>
  );
}

/** Looks like `TextLink` but leaves this application, for addresses that the server redirects. */
export function AwayLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className={classes.link}>
      {children}
    </a>
  );
}
