import { Button, EmptyState as KitEmptyState } from '@mantine/core';
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconBan,
  IconInfoCircle,
  IconRefresh,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ApiError, words } from '../api.ts';
import { useRetryOf, useShownFailure } from '../failed-calls.ts';
import type { Icon } from '../feature.ts';
import { TextButton } from './links.tsx';
import classes from './states.module.css';

interface EmptyStateProps {
  icon: Icon;
  /** "No lists yet". */
  title: string;
  /** What it is for, or what to do next. */
  description: ReactNode;
  /** The button that adds the first one. */
  action?: ReactNode;
  /** The title is the heading of the whole page. */
  heading?: boolean;
}

/** Nothing here yet: says what belongs here and offers the button. */
export function EmptyState({
  icon: StateIcon,
  title,
  description,
  action,
  heading = false,
}: EmptyStateProps) {
  const Title = heading ? 'h1' : 'p';
  return (
    <KitEmptyState size="sm" classNames={{ root: classes.state, body: classes.body }}>
      <KitEmptyState.Indicator className={classes.icon}>
        <StateIcon size={28} stroke={1.4} />
      </KitEmptyState.Indicator>
      <Title className={classes.title}>{title}</Title>
      <p className={classes.description}>{description}</p>
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </KitEmptyState>
  );
}

interface ErrorStateProps {
  /** What happened: "The contacts could not be loaded". */
  title: string;
  /** Reassurance: "Your filters are kept." Follows the server's words when `error` is given. */
  description?: ReactNode;
  error?: unknown;
  /** Shows "Try again". Without it, the failed call itself is made again where that may help. */
  onRetry?: () => void;
  action?: ReactNode;
}

/** A part that failed, inside its group. */
export function ErrorState({ title, description, error, onRetry, action }: ErrorStateProps) {
  useShownFailure(error);
  const ownRetry = useRetryOf(error);
  const retry = onRetry ?? ownRetry;
  return (
    <div className={classes.state} role="alert">
      <IconAlertCircle size={26} stroke={1.6} className={classes.errorIcon} aria-hidden />
      <p className={classes.title}>{title}</p>
      <p className={classes.description}>
        {error !== undefined && error !== null && `${failureWords(error)} `}
        {description}
      </p>
      <div className={classes.action}>
        {action}
        {retry && (
          <Button variant="default" leftSection={<IconRefresh size={16} stroke={1.6} />} onClick={retry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}

/** What a failure says: its status, if an answer came, and the server's words. */
export const failureWords = (error: unknown): string =>
  `${error instanceof ApiError && error.status !== 0 ? `${error.status}: ` : ''}${words(error)}`;

interface ErrorLineProps {
  /** What is missing: "What happened could not be loaded." */
  title: string;
  error: unknown;
}

/** A failure in one line, where a group has no room for more. Makes the call again. */
export function ErrorLine({ title, error }: ErrorLineProps) {
  useShownFailure(error);
  const retry = useRetryOf(error);
  return (
    <p className={classes.line} role="alert">
      {title} {failureWords(error)} {retry && <TextButton onClick={retry}>Try again</TextButton>}
    </p>
  );
}

interface NoPermissionProps {
  /** The role it needs: "Sending needs the sender role". */
  title: string;
  /** What still works: "Ask an owner or admin. You can still edit this draft." */
  description: ReactNode;
}

export function NoPermission({ title, description }: NoPermissionProps) {
  return (
    <div className={classes.noPermission}>
      <IconBan size={18} stroke={1.6} aria-hidden />
      <div>
        <p className={classes.plainTitle}>{title}</p>
        <p className={classes.description}>{description}</p>
      </div>
    </div>
  );
}

interface NoteProps {
  /**
   * `warning` for something partial or uncertain, `info` on a sunk background, `error` for a failed
   * form.
   */
  tone?: 'warning' | 'info' | 'error';
  /** Bold first line, with the count: "12 messages are uncertain". */
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}

const noteIcons = { warning: IconAlertTriangle, info: IconInfoCircle, error: IconAlertCircle };

/** A note inside a group: partial results, useful information, or why a form was refused. */
export function Note({ tone = 'warning', title, children, action }: NoteProps) {
  const NoteIcon = noteIcons[tone];
  return (
    <div className={classes.note} data-tone={tone} role={tone === 'error' ? 'alert' : undefined}>
      <NoteIcon size={16} stroke={1.6} aria-hidden />
      <div className={classes.noteText}>
        {title !== undefined && <p className={classes.noteTitle}>{title}</p>}
        {children !== undefined && <div>{children}</div>}
      </div>
      {action}
    </div>
  );
}
