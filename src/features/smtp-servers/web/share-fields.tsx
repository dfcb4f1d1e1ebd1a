import { Checkbox, NumberInput } from '@mantine/core';
import type { Change, Values } from './connection-fields.tsx';
import classes from './servers.module.css';

interface Props {
  values: Values;
  change: Change;
  faults: Record<string, string>;
}

const limits = [
  { field: 'perHour', label: 'Messages an hour', max: 1_000_000 },
  { field: 'perMinute', label: 'Messages a minute', max: 100_000 },
] as const;

/** Which messages a server takes, and how many. */
export function ShareFields({ values, change, faults }: Props) {
  const whole = { min: 1, allowDecimal: false, allowNegative: false };
  return (
    <>
      <NumberInput
        label="Weight"
        description="Of weights 3 and 1, the first server gets three messages of four."
        {...{ ...whole, max: 100, disabled: values.isFallback }}
        {...{ value: values.weight, error: faults.weight }}
        onChange={(value) => change({ weight: Number(value) })}
      />
      <div className={classes.limits}>
        {limits.map(({ field, label, max }) => (
          <NumberInput
            key={field}
            {...{ label, description: 'Empty: no limit.', error: faults[field] }}
            {...{ ...whole, max, hideControls: true, thousandSeparator: ',' }}
            value={values[field] ?? ''}
            onChange={(value) => change({ [field]: value === '' ? null : Number(value) })}
          />
        ))}
      </div>
      <p className={classes.dim}>
        When a limit is reached, the other servers take the messages. If there is none, the messages wait.
      </p>
      <Checkbox
        label="Fallback"
        description="Used only while none of the others can be."
        checked={values.isFallback}
        onChange={({ currentTarget: { checked } }) => change({ isFallback: checked })}
      />
    </>
  );
}
