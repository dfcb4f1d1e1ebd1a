import type { KeyboardEvent } from 'react';
import classes from './calendar.module.css';
import { CalendarDay, type DayProps } from './calendar-day.tsx';
import { CalendarItem } from './calendar-item.tsx';
import { longDayWords, shortDayWords, weekdayWord } from './day-words.ts';
import { type Entry, entriesOn, type OnMove } from './entries.ts';

interface CalendarProps extends Pick<DayProps, 'today' | 'isLarge'> {
  label: string;
  /** Whole weeks from Monday on. */
  days: readonly string[];
  /** `2026-11` of a month, whose days stand out. */
  month: string | null;
  entries: readonly Entry[];
  onMove: OnMove | undefined;
  onStep: (count: -1 | 1) => void;
}

const steps: Record<string, -1 | 1> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** Arrows lead from campaign to campaign, and Page Up and Page Down to other months or weeks. */
function useKeys(onStep: (count: -1 | 1) => void) {
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'PageUp' || event.key === 'PageDown') {
      event.preventDefault();
      onStep(event.key === 'PageUp' ? -1 : 1);
      return;
    }
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-entry]')];
    const at = links.indexOf(event.target as HTMLElement);
    const step = steps[event.key];
    if (at === -1 || step === undefined) return;
    event.preventDefault();
    links[at + step]?.focus();
  };
}

/** A month or a week, a column for each day of the week. */
export function CalendarGrid(props: CalendarProps) {
  const { label, days, month, entries, today, isLarge, onMove, onStep } = props;
  const keys = useKeys(onStep);
  const weeks = Array.from({ length: days.length / 7 }, (_, n) => days.slice(7 * n, 7 * n + 7));
  return (
    <table className={classes.grid} aria-label={label} onKeyDown={keys} data-large={isLarge || undefined}>
      <thead>
        <tr>
          {days.slice(0, 7).map((day) => (
            <th key={day} scope="col">
              {weekdayWord(day)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <CalendarDay
                key={day}
                {...{ day, today, isLarge, onMove }}
                entries={entriesOn(entries, day)}
                isOutside={month !== null && !day.startsWith(month)}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The days on which something leaves, one below the other. */
export function CalendarList({ label, days, month, entries, today, onMove, onStep }: CalendarProps) {
  const keys = useKeys(onStep);
  const filled = days
    .filter((day) => month === null || day.startsWith(month))
    .map((day) => ({ day, here: entriesOn(entries, day) }))
    .filter(({ here }) => here.length > 0);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the links in it
    <div className={classes.list} onKeyDown={keys}>
      {filled.length === 0 && <p className={classes.nothing}>{`Nothing leaves in ${label}.`}</p>}
      {filled.map(({ day, here }) => (
        <section key={day} aria-label={longDayWords(day)}>
          <h3 className={classes.dayHead} {...(day === today && { 'aria-current': 'date' as const })}>
            {shortDayWords(day)}
          </h3>
          <ul className={classes.items}>
            {here.map((entry) => (
              <CalendarItem key={entry.campaign.id} {...{ entry, day, isLarge: true, onMove }} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
