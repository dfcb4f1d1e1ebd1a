import { Switch, TextInput } from '@mantine/core';
import type { SendingPace } from '../contract.ts';
import classes from './pace.module.css';

interface Props {
  value: SendingPace['quietHours'];
  faults: Readonly<Record<string, string>>;
  disabled: boolean;
  onChange: (value: SendingPace['quietHours']) => void;
}

const usualNight = { from: '20:00', to: '08:00' };

/** Whether there are quiet hours, and which. */
export function QuietHours({ value, faults, disabled, onChange }: Props) {
  return (
    <>
      <Switch
        label="Quiet hours"
        description="Campaigns wait, and go on by themselves. The hours are those of the clocks in London."
        disabled={disabled}
        checked={value !== null}
        onChange={({ currentTarget: { checked } }) => onChange(checked ? usualNight : null)}
      />
      {value && (
        <div className={classes.pair}>
          {(['from', 'to'] as const).map((end) => (
            <TextInput
              key={end}
              {...{ type: 'time', label: end === 'from' ? 'From' : 'To', disabled }}
              error={faults[`quietHours.${end}`] ?? (end === 'to' && faults.quietHours)}
              value={value[end]}
              onChange={({ currentTarget }) => onChange({ ...value, [end]: currentTarget.value })}
            />
          ))}
        </div>
      )}
    </>
  );
}
