import '@mantine/dates/styles.layer.css';
import 'dayjs/locale/en-gb';
import { DatePickerInput } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import { formatDay } from '#platform/web/format.ts';

interface DayFieldProps {
  label: string;
  /** `2026-11-01`, or empty. */
  value: string;
  error: boolean;
  onChange: (days: string[]) => void;
}

/** The kit's calendar does not name its arrows. */
const ariaLabels = {
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  previousYear: 'Previous year',
  nextYear: 'Next year',
  previousDecade: 'Previous ten years',
  nextDecade: 'Next ten years',
};

const shared = {
  ariaLabels,
  locale: 'en-gb',
  hideOutsideDates: true,
  highlightToday: true,
  weekendDays: [],
  leftSection: <IconCalendar size={16} stroke={1.6} />,
  leftSectionPointerEvents: 'none',
  popoverProps: { returnFocus: true },
} as const;

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);

/** One day, also in the future. */
export const DayField = ({ label, value, error, onChange }: DayFieldProps) => (
  <DatePickerInput
    {...shared}
    weekendDays={[]}
    aria-label={value === '' ? label : `${label}: ${wordsOf([value])}`}
    placeholder="Choose a day"
    error={error}
    valueFormatter={() => wordsOf([value])}
    value={isDay(value) ? value : null}
    onChange={(day) => onChange(day === null ? [] : [day])}
  />
);

/** One day or several. */
export const DaysField = ({
  label,
  values,
  error,
  onChange,
}: Omit<DayFieldProps, 'value'> & { values: readonly string[] }) => (
  <DatePickerInput
    {...shared}
    weekendDays={[]}
    type="multiple"
    aria-label={values.length === 0 ? label : `${label}: ${wordsOf(values)}`}
    placeholder="Choose days"
    error={error}
    valueFormatter={() => wordsOf(values)}
    value={values.filter(isDay)}
    onChange={(days) => onChange([...days].sort())}
  />
);

const wordsOf = (days: readonly string[]): string =>
  days.map((day) => (isDay(day) ? formatDay(day) : day)).join(', ');
