import '@mantine/dates/styles.layer.css';
import 'dayjs/locale/en-gb';
import { NativeSelect, TextInput } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import { type Basis, bases } from '#features/contacts/contract.ts';
import { formatDay } from '#platform/web/format.ts';
import { longestSource, type SaidBasis } from '../contract.ts';
import { basisHints, basisLabels } from '../rules.ts';

export interface BasisForm {
  basis: Basis;
  source: string;
  /** `2024-04-20`, or null. */
  givenOn: string | null;
}

/** What the form says, as calls take it. Nothing else is said of somebody unknown. */
export const saidIn = ({ basis, source, givenOn }: BasisForm): SaidBasis =>
  basis === 'unknown' ? { basis } : { basis, source: source.trim() || null, givenOn };

/** The kit's calendar does not name its arrows. */
const ariaLabels = {
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  previousYear: 'Previous year',
  nextYear: 'Next year',
  previousDecade: 'Previous ten years',
  nextDecade: 'Next ten years',
};

interface BasisFieldsProps {
  form: BasisForm;
  onChange: (some: Partial<BasisForm>) => void;
}

/** Which basis it is, where it comes from, and since when. */
export function BasisFields({ form: { basis, source, givenOn }, onChange }: BasisFieldsProps) {
  return (
    <>
      <NativeSelect
        data-autofocus
        label="Marketing basis"
        description={basisHints[basis]}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={bases.map((value) => ({ value, label: basisLabels[value] }))}
        value={basis}
        onChange={({ currentTarget }) => onChange({ basis: currentTarget.value as Basis })}
      />
      {basis !== 'unknown' && (
        <>
          <TextInput
            label="Where it comes from"
            placeholder="Spring fair 2024 sign-up sheet"
            maxLength={longestSource}
            autoComplete="off"
            value={source}
            onChange={({ currentTarget }) => onChange({ source: currentTarget.value })}
          />
          <DatePickerInput
            label="Given on"
            ariaLabels={ariaLabels}
            locale="en-gb"
            hideOutsideDates
            highlightToday
            weekendDays={[]}
            clearable
            clearButtonProps={{ 'aria-label': 'Clear the day' }}
            maxDate={new Date()}
            placeholder="The day, if it is known"
            leftSection={<IconCalendar size={16} stroke={1.6} />}
            leftSectionPointerEvents="none"
            popoverProps={{ returnFocus: true }}
            valueFormatter={() => (givenOn === null ? '' : formatDay(givenOn))}
            value={givenOn}
            onChange={(day) => onChange({ givenOn: day })}
          />
        </>
      )}
    </>
  );
}
