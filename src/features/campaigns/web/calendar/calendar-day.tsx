import { type DragEvent, useState } from 'react';
import { TextLink } from '#platform/web/components/links.tsx';
import classes from './calendar.module.css';
import { CalendarItem } from './calendar-item.tsx';
import { dayNumber, longDayWords } from './day-words.ts';
import { draggedOf, type Entry, isDrag, type OnMove } from './entries.ts';

/** More make a month's row too high. */
const mostInMonth = 3;

export interface DayProps {
  day: string;
  today: string;
  entries: readonly Entry[];
  isLarge: boolean;
  onMove: OnMove | undefined;
}

/** A day of the calendar. A scheduled campaign can be dropped on it, unless it has passed. */
export function CalendarDay(props: DayProps & { isOutside: boolean }) {
  const { day, today, entries, isLarge, isOutside, onMove } = props;
  const [isOver, setOver] = useState(false);
  const takes = onMove !== undefined && day >= today;
  const over = (event: DragEvent) => {
    if (!isDrag(event)) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onMove?.(draggedOf(event), day);
  };
  const shown = isLarge || entries.length <= mostInMonth ? entries : entries.slice(0, mostInMonth - 1);
  const hidden = entries.length - shown.length;
  return (
    <td
      className={classes.day}
      data-outside={isOutside || undefined}
      data-past={day < today || undefined}
      data-over={isOver || undefined}
      {...(day === today && { 'aria-current': 'date' as const })}
      {...(takes && { onDragOver: over, onDrop: drop, onDragLeave: () => setOver(false) })}
    >
      <time dateTime={day} className={classes.number}>
        <span aria-hidden>{dayNumber(day)}</span>
        <span className={classes.hidden}>{longDayWords(day)}</span>
      </time>
      {entries.length > 0 && (
        <ul className={classes.items}>
          {shown.map((entry) => (
            <CalendarItem key={entry.campaign.id} {...{ entry, day, isLarge, onMove }} />
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <TextLink
          to="/campaigns/calendar"
          search={{ view: 'week', day }}
          label={`${hidden} more on ${longDayWords(day)}`}
        >
          {`${hidden} more`}
        </TextLink>
      )}
    </td>
  );
}
