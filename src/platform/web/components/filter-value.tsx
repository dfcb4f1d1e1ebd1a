import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { DayRangeCalendar } from './day-range-field.tsx';
import classes from './filter-chips.module.css';
import type { FilterField } from './filter-field.ts';

interface AskedFilterProps {
  field: FilterField;
  /** The field's current filter. */
  value: string;
  /** Empty when nothing was given. */
  onSubmit: (value: string) => void;
}

/** Asks for a value that cannot come from a list: text or days. */
export const AskedFilter = (props: AskedFilterProps) =>
  props.field.days ? <DaysFilter {...props} /> : <TextFilter {...props} />;

function TextFilter({ field, onSubmit }: AskedFilterProps) {
  const [text, setText] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(text.trim());
  };
  return (
    <form onSubmit={submit}>
      <Group gap={8} wrap="nowrap">
        <TextInput
          data-autofocus
          aria-label={field.label}
          placeholder={field.text ?? ''}
          value={text}
          maxLength={253}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit">Apply</Button>
      </Group>
    </form>
  );
}

function DaysFilter({ value, onSubmit }: AskedFilterProps) {
  const [from = '', to = ''] = value.split('/');
  return (
    <div className={classes.days}>
      <DayRangeCalendar
        from={from || undefined}
        to={to || undefined}
        onChange={(range) => onSubmit(`${range.from ?? ''}/${range.to ?? ''}`)}
      />
    </div>
  );
}
