import '@mantine/dates/styles.layer.css';
import 'dayjs/locale/en-gb';
import { Button } from '@mantine/core';
import { DatePicker, DatePickerInput } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import {
  type DayRange,
  dayOf,
  dayRangeWords,
  firstMonthShown,
  markedDays,
  recentRanges,
} from '../day-range.ts';
import { capitalise } from '../format.ts';
import classes from './day-range-field.module.css';
import { usePhone } from './use-phone.ts';

interface DayRangeProps extends DayRange {
  /** Called with both absent to allow any day. */
  onChange: (range: DayRange) => void;
}

interface DayRangeFieldProps extends DayRangeProps {
  /** What the days are for, for screen readers: "Days". */
  label: string;
  placeholder?: string;
}

/** A filter for days up to today: a first and a last day, or the same day twice. */
export function DayRangeField({ label, placeholder = 'Any day', ...range }: DayRangeFieldProps) {
  const id = useId();
  const { calendar, picked, today, showRange } = useDayPicker(range);
  const text =
    picked === null
      ? capitalise(dayRangeWords(`${range.from ?? ''}/${range.to ?? ''}`))
      : `${wordsOf(picked)} to …`;
  return (
    <DatePickerInput
      {...calendar}
      type="range"
      className={classes.field}
      aria-label={`${label}: ${text || placeholder}`}
      placeholder={placeholder}
      valueFormatter={() => text}
      leftSection={<IconCalendar size={16} stroke={1.6} />}
      leftSectionPointerEvents="none"
      clearable
      clearButtonProps={{ 'aria-label': placeholder, title: placeholder }}
      // The calendar has the same name as the field that opens it.
      id={id}
      popoverProps={{ id, returnFocus: true }}
      onDropdownClose={showRange}
      presets={recentRanges(new Date()).flatMap(({ value, label: name }) => {
        const days = markedDays(value, today);
        return days ? [{ label: name, value: days }] : [];
      })}
    />
  );
}

/** The same calendar, already open, where a screen has just asked for it. It takes the focus. */
export function DayRangeCalendar(range: DayRangeProps) {
  const { calendar, picked } = useDayPicker(range);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.querySelector<HTMLElement>('[data-autofocus], button:not(:disabled)')?.focus();
  }, []);
  return (
    <div ref={place}>
      <DatePicker {...calendar} type="range" />
      <div className={classes.foot}>
        {picked === null ? (
          'Choose the first day and the last.'
        ) : (
          <>
            <Button
              size="xs"
              variant="default"
              onClick={() => range.onChange({ from: undefined, to: picked })}
            >
              Up to {wordsOf(picked)}
            </Button>
            <Button
              size="xs"
              variant="default"
              onClick={() => range.onChange({ from: picked, to: undefined })}
            >
              From {wordsOf(picked)}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

const wordsOf = (day: string): string => dayRangeWords(`${day}/${day}`);

/** The kit's calendar does not name its arrows. */
const ariaLabels = {
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  previousYear: 'Previous year',
  nextYear: 'Next year',
  previousDecade: 'Previous ten years',
  nextDecade: 'Next ten years',
};

/** A calendar for picking two days, and what it shows. */
function useDayPicker({ from, to, onChange }: DayRangeProps) {
  /** The first day, until the second is picked. */
  const [picked, setPicked] = useState<string | null>(null);
  /** The first month shown. Null: the range's month. */
  const [month, setMonth] = useState<string | null>(null);
  const months = usePhone() ? 1 : 2;
  const today = dayOf(new Date());
  const marked = markedDays(`${from ?? ''}/${to ?? ''}`, today) ?? [null, null];
  const showRange = () => setMonth(null);
  const choose = ([first, last]: [string | null, string | null]) => {
    setPicked(last === null ? first : null);
    if (first !== null && last !== null) {
      showRange();
      onChange({ from: first, to: last });
    }
    // The kit empties a calendar that closes before the second day is picked. The range then stays
    // as it was.
    else if (first === null && picked === null) onChange({ from: undefined, to: undefined });
  };
  const calendar = {
    ariaLabels,
    classNames,
    locale: 'en-gb',
    value: picked === null ? marked : ([picked, null] as [string, null]),
    onChange: choose,
    date: month ?? firstMonthShown(marked[0] ?? today, today, months),
    onDateChange: setMonth,
    maxDate: today,
    numberOfColumns: months,
    columnsToScroll: 1,
    allowSingleDateInRange: true,
    hideOutsideDates: true,
    highlightToday: true,
    weekendDays: [],
  };
  return { calendar, picked, today, showRange };
}

const classNames = {
  datePickerRoot: classes.root,
  presetsList: classes.presets,
  presetButton: classes.preset,
  calendarHeaderControl: classes.control,
  day: classes.day,
};
