import { NumberInput, Switch } from '@mantine/core';
import type { SendingPace } from '../contract.ts';
import classes from './pace.module.css';

interface Props {
  value: SendingPace['frequencyCap'];
  faults: Readonly<Record<string, string>>;
  disabled: boolean;
  onChange: (value: SendingPace['frequencyCap']) => void;
}

const usualCap = { messages: 4, days: 7 };
const inputs = [
  { field: 'messages', label: 'Campaigns', max: 100 },
  { field: 'days', label: 'In so many days', max: 90 },
] as const;

/** How many campaigns one person gets. */
export function CapFields({ value, faults, disabled, onChange }: Props) {
  return (
    <>
      <Switch
        label="Frequency cap"
        description="Whoever has had this many campaigns is left out of the next one, and its report says so."
        disabled={disabled}
        checked={value !== null}
        onChange={({ currentTarget: { checked } }) => onChange(checked ? usualCap : null)}
      />
      {value && (
        <div className={classes.pair}>
          {inputs.map(({ field, label, max }) => (
            <NumberInput
              key={field}
              {...{ label, max, min: 1, clampBehavior: 'strict', allowDecimal: false, allowNegative: false }}
              {...{ disabled, error: faults[`frequencyCap.${field}`] }}
              value={value[field]}
              onChange={(number) => onChange({ ...value, [field]: Number(number) || 1 })}
            />
          ))}
        </div>
      )}
    </>
  );
}
