import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { FilterField } from './filter-field.ts';

interface AskedFilterProps {
  field: FilterField;
  /** What the field is filtered by now. */
  value: string;
  /** With nothing when nothing was given. */
  onSubmit: (value: string) => void;
}

/** Asks for what a filter has no list of: a text, or days. */
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
  const [before, after] = value.split('/');
  const [from, setFrom] = useState(before ?? '');
  const [to, setTo] = useState(after ?? '');
  const isBackwards = from !== '' && to !== '' && to < from;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBackwards) onSubmit(from === '' && to === '' ? '' : `${from}/${to}`);
  };
  return (
    <form onSubmit={submit}>
      <Group gap={8} align="flex-start">
        <TextInput
          data-autofocus
          type="date"
          label="From"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label="To"
          value={to}
          error={isBackwards && 'Before the first day'}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
      </Group>
      <Group justify="flex-end" mt={12}>
        <Button type="submit" disabled={isBackwards}>
          Apply
        </Button>
      </Group>
    </form>
  );
}
