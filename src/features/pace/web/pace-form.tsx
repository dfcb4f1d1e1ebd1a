import { Button, NumberInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiError, words } from '#platform/web/api.ts';
import { useMay } from '#platform/web/current-user.ts';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import type { SendingPace } from '../contract.ts';
import { CapFields } from './cap-fields.tsx';
import { useChangePace } from './change.ts';
import classes from './pace.module.css';
import { QuietHours } from './quiet-hours.tsx';

type Limits = Pick<SendingPace, 'perHour' | 'perDay' | 'quietHours' | 'frequencyCap'>;
const inputs = [
  { field: 'perHour', label: 'Messages an hour', hint: 'Empty: no limit.' },
  { field: 'perDay', label: 'Messages a day', hint: 'Days end at midnight in London. Empty: no limit.' },
] as const;

export function PaceForm({ saved }: { saved: SendingPace }) {
  const changePace = useChangePace();
  const mayEdit = useMay('admin');
  const [edited, setEdited] = useState<Partial<Limits>>({});
  const [pending, setPending] = useState(false);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const { perHour, perDay, quietHours, frequencyCap } = { ...saved, ...edited };
  const isDirty = Object.keys(edited).length > 0;
  const change = (values: Partial<Limits>) => setEdited((before) => ({ ...before, ...values }));
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!isDirty || pending) return;
    setPending(true);
    setFaults({});
    try {
      await changePace(edited);
      setEdited({});
      toastDone({ title: 'Settings Updated', message: 'The sending pace was saved. It holds at once.' });
    } catch (failure) {
      if (failure instanceof ApiError) setFaults(failure.fields);
      const message = words(failure, 'There was an error updating your settings. Please try again.');
      toastFailed({ title: 'Update Failed', message });
    } finally {
      setPending(false);
    }
  };
  return (
    <form onSubmit={(event) => void save(event)} noValidate className={classes.form}>
      <div className={classes.pair}>
        {inputs.map(({ field, label, hint }) => (
          <NumberInput
            key={field}
            {...{ label, description: hint, disabled: !mayEdit, error: faults[field] }}
            {...{
              min: 1,
              allowDecimal: false,
              allowNegative: false,
              hideControls: true,
              thousandSeparator: ',',
            }}
            value={{ perHour, perDay }[field] ?? ''}
            onChange={(value) => change({ [field]: value === '' ? null : Number(value) })}
          />
        ))}
      </div>
      {saved.perDay !== null && (
        <p className={classes.dim}>
          {formatCount(saved.sentToday, 'message')} of {formatNumber(saved.perDay)} have left today.
        </p>
      )}
      <QuietHours
        value={quietHours}
        faults={faults}
        disabled={!mayEdit}
        onChange={(value) => change({ quietHours: value })}
      />
      <CapFields
        value={frequencyCap}
        faults={faults}
        disabled={!mayEdit}
        onChange={(value) => change({ frequencyCap: value })}
      />
      {mayEdit && (
        <div className={classes.buttons}>
          <Button
            {...{ variant: 'subtle', color: 'gray', disabled: !isDirty || pending }}
            onClick={() => setEdited({})}
          >
            Discard
          </Button>
          <Button
            {...{
              type: 'submit',
              variant: isDirty ? 'filled' : 'default',
              disabled: !isDirty,
              loading: pending,
            }}
          >
            Save the pace
          </Button>
        </div>
      )}
    </form>
  );
}
