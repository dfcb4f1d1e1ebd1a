import { NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import type { Field } from './fields.ts';
import classes from './settings-page.module.css';

interface SettingFieldProps {
  field: Field;
  value: string | boolean;
  disabled: boolean;
  error: string | undefined;
  onChange: (value: string | boolean) => void;
}

/** One field of a card. It keeps the typed text; the server says what is wrong with it. */
export function SettingField({ field, value, disabled, error, onChange }: SettingFieldProps) {
  const { kind, label, hint, unit, choices = [], autoComplete = 'off' } = field;
  const shared = { label, disabled, error, ...(hint === undefined ? {} : { description: hint }) };
  const text = String(value);
  if (kind === 'switch') {
    return (
      <Switch
        {...shared}
        className={classes.wide}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  }
  if (kind === 'choice') {
    return (
      <Select
        {...shared}
        className={classes.field}
        data={choices}
        value={text}
        allowDeselect={false}
        onChange={(next) => next && onChange(next)}
      />
    );
  }
  if (kind === 'number') {
    return (
      <NumberInput
        {...shared}
        className={classes.field}
        value={text}
        clampBehavior="none"
        thousandSeparator=","
        hideControls
        suffix={unit === undefined ? '' : ` ${text === '1' ? unit.replace(/s$/, '') : unit}`}
        onChange={(next) => onChange(String(next))}
      />
    );
  }
  if (kind === 'text') {
    return (
      <TextInput
        {...shared}
        className={classes.field}
        value={text}
        autoComplete={autoComplete}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <Textarea
      {...shared}
      className={classes.wide}
      value={text}
      rows={kind === 'lines' ? 4 : 2}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
