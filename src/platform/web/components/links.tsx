import { Button, type ButtonProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './links.module.css';

interface Target {
  /** A path of the product. */
  to: string;
  search?: Record<string, unknown>;
  title?: string;
  children: ReactNode;
}

/**
 * A button that leads somewhere: it can be opened in a new tab, and its screen is fetched when
 * pointed at.
 */
export function LinkButton({ to, search = {}, children, ...rest }: Target & ButtonProps) {
  return (
    <Button {...rest} renderRoot={(props) => <Link to={to} search={search} {...props} />}>
      {children}
    </Button>
  );
}

/** A link in the accent colour, for the head of a group: "View all". */
export function TextLink({ to, search = {}, children }: Target) {
  return (
    <Link to={to} search={search} className={classes.link}>
      {children}
    </Link>
  );
}

interface TextButtonProps {
  onClick: () => void;
  /** While what it started is under way. */
  disabled?: boolean;
  children: ReactNode;
}

/** Looks like `TextLink` and does something here instead: "Try again". */
export function TextButton({ onClick, disabled = false, children }: TextButtonProps) {
  return (
    <button type="button" className={classes.link} disabled={disabled} onClick={onClick}>
      {children}
    </button>
  );
}

/**
 * Looks like `TextLink` and leaves this application, for what the server answers with a redirect.
 */
export function AwayLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className={classes.link}>
      {children}
    </a>
  );
}
