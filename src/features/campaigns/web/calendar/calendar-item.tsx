import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { IconCalendarTime } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { DragEvent } from 'react';
import { StatusBadge, toneOf } from '#platform/web/components/status-badge.tsx';
import { capitalise, formatCount } from '#platform/web/format.ts';
import { timesOn } from '../../rules/calendar.ts';
import classes from './calendar.module.css';
import { type Entry, type OnMove, startDrag } from './entries.ts';

interface CalendarItemProps {
  entry: Entry;
  day: string;
  /** With its subject, status and number of recipients. */
  isLarge: boolean;
  /** Absent for people who may not send. */
  onMove: OnMove | undefined;
}

/** A campaign on one of the days on which it leaves. A press opens it. */
export function CalendarItem({ entry: { campaign, span }, day, isLarge, onMove }: CalendarItemProps) {
  const { id, name, subject, status, totalRecipients, notice } = campaign;
  const isMovable = onMove !== undefined && status === 'scheduled';
  const drag = (event: DragEvent) => startDrag(event, id);
  return (
    <li
      className={classes.item}
      data-tone={toneOf(status)}
      data-planned={status === 'scheduled' || undefined}
      data-large={isLarge || undefined}
      data-movable={isMovable || undefined}
      draggable={isMovable}
      {...(isMovable && { onDragStart: drag })}
    >
      <Link
        to={`/campaigns/${id}`}
        className={classes.link}
        draggable={false}
        title={notice ?? `${name}: ${subject}`}
        data-entry
      >
        <span className={classes.times}>{timesOn(span, day)}</span>
        <span className={classes.name}>{name}</span>
        {isLarge ? (
          <>
            <span className={classes.subject}>{subject}</span>
            <span className={classes.standing}>
              <StatusBadge status={status} />
              {totalRecipients > 0 && <span>{formatCount(totalRecipients, 'recipient')}</span>}
            </span>
          </>
        ) : (
          <VisuallyHidden>{capitalise(status)}</VisuallyHidden>
        )}
      </Link>
      {isMovable && (
        <ActionIcon
          size={24}
          variant="subtle"
          color="gray"
          className={classes.move}
          aria-label={`Move ${name}`}
          title="Choose another time"
          onClick={() => onMove(id)}
        >
          <IconCalendarTime size={16} stroke={1.6} />
        </ActionIcon>
      )}
    </li>
  );
}
