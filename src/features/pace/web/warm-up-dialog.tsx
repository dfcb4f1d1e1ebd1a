import { NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { londonClock } from '#platform/shared/london-time.ts';
import { ApiError, words } from '#platform/web/api.ts';
import { hasChanges } from '#platform/web/changed-fields.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { formatCount } from '#platform/web/format.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { warmFrom, warmUpSteps } from '../rules/warm-up.ts';
import classes from './pace.module.css';
import { dayInWords, planOf, type WarmUp, type WarmUpPlan } from './plans.ts';

interface Props {
  /** Null: a new one. */
  edited: WarmUp | null;
  onSave: (plan: WarmUpPlan) => Promise<void>;
  onClose: () => void;
}

const numbers = [
  { field: 'first', label: 'Messages on the first day' },
  { field: 'doubleEvery', label: 'Twice as many every so many days' },
  { field: 'most', label: 'Warm at so many a day' },
] as const;

const usual = { domain: '', first: 500, doubleEvery: 1, most: 100_000 };

/** Writes how a domain warms up, with the days that follow from it. */
export function WarmUpDialog({ edited, onSave, onClose }: Props) {
  const [first] = useState<WarmUpPlan>(
    edited ? planOf(edited) : { ...usual, begunOn: londonClock(new Date()).slice(0, 10) },
  );
  const [plan, setPlan] = useState(first);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const faults = error instanceof ApiError ? error.fields : {};
  const faultOf = (field: string) => faults[`warmUp.${field}`];
  const change = (values: Partial<WarmUpPlan>) => setPlan((before) => ({ ...before, ...values }));
  const submit = async () => {
    setPending(true);
    setError(null);
    try {
      await onSave(plan);
      toastDone({ title: 'Settings Updated', message: `${plan.domain.trim()} warms up. It holds at once.` });
      onClose();
    } catch (failure) {
      setError(failure);
      setPending(false);
    }
  };
  const fields = ['domain', 'begunOn', 'first', 'doubleEvery', 'most'];
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={edited ? `Warm up ${edited.domain}` : 'Warm up a domain'}
      submitLabel="Save"
      pendingLabel="Saving..."
      pending={pending}
      isChanged={hasChanges(first, plan)}
      error={error !== null && !fields.some(faultOf) ? words(error) : null}
      onSubmit={() => void submit()}
    >
      <TextInput
        label="Domain"
        description="After the @ of the address that campaigns come from."
        placeholder="news.yourbusiness.co.uk"
        {...{ 'data-autofocus': true, autoComplete: 'off', error: faultOf('domain'), value: plan.domain }}
        onChange={({ currentTarget: { value } }) => change({ domain: value })}
      />
      <TextInput
        label="First day"
        {...{ type: 'date', error: faultOf('begunOn'), value: plan.begunOn }}
        onChange={({ currentTarget: { value } }) => change({ begunOn: value })}
      />
      {numbers.map(({ field, label }) => (
        <NumberInput
          key={field}
          {...{ label, min: 1, allowDecimal: false, allowNegative: false, hideControls: true }}
          {...{ thousandSeparator: ',', error: faultOf(field), value: plan[field] || '' }}
          onChange={(value) => change({ [field]: Number(value) })}
        />
      ))}
      <Schedule plan={plan} />
    </FormDialog>
  );
}

function Schedule({ plan }: { plan: WarmUpPlan }) {
  const isWhole = plan.first > 0 && plan.doubleEvery > 0 && plan.most > 0 && plan.begunOn !== '';
  if (!isWhole) return null;
  return (
    <table className={classes.schedule} aria-label="What may leave on which days">
      <tbody>
        {warmUpSteps(plan).map(({ day, messages }) => (
          <tr key={day}>
            <td>From {dayInWords(day)}</td>
            <td>{formatCount(messages, 'message')} a day</td>
          </tr>
        ))}
        <tr>
          <td>From {dayInWords(warmFrom(plan))}</td>
          <td>no limit</td>
        </tr>
      </tbody>
    </table>
  );
}
