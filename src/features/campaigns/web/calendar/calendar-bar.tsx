import { ActionIcon, Button, SegmentedControl } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { capitalise } from '#platform/web/format.ts';
import { type CalendarView, calendarViews } from '../../rules/calendar.ts';
import classes from './calendar.module.css';

const choices = calendarViews.map((value) => ({ value, label: capitalise(value) }));
const icon = { size: 16, stroke: 1.6 } as const;

interface CalendarBarProps {
  view: CalendarView;
  /** The month or week that shows. */
  label: string;
  onStep: (count: -1 | 1) => void;
  onToday: () => void;
  onView: (view: CalendarView) => void;
}

/** Which month or week shows, and the way to others. */
export const CalendarBar = ({ view, label, onStep, onToday, onView }: CalendarBarProps) => (
  <div className={classes.bar}>
    <ActionIcon variant="default" size={32} aria-label={`The ${view} before`} onClick={() => onStep(-1)}>
      <IconChevronLeft {...icon} />
    </ActionIcon>
    <ActionIcon variant="default" size={32} aria-label={`The ${view} after`} onClick={() => onStep(1)}>
      <IconChevronRight {...icon} />
    </ActionIcon>
    <Button variant="default" onClick={onToday}>
      Today
    </Button>
    <h2 className={classes.period} aria-live="polite">
      {label}
    </h2>
    <SegmentedControl
      aria-label="What the calendar shows"
      data={choices}
      value={view}
      onChange={(value) => onView(value as CalendarView)}
    />
  </div>
);
