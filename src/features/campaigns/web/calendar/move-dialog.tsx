import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { londonClock, londonMoment } from '#platform/shared/london-time.ts';
import { isChangedMeanwhile, words } from '#platform/web/api.ts';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { formatLondonTime } from '#platform/web/format.ts';
import { toastFailed } from '#platform/web/toast.tsx';
import type { Campaign } from '../../contract.ts';
import { failed, useReschedule } from './use-reschedule.ts';

interface MoveDialogProps {
  campaign: Campaign;
  onClose: () => void;
}

/** Asks for another time of a scheduled campaign. */
export function MoveDialog({ campaign, onClose }: MoveDialogProps) {
  const { name, sendAt } = campaign;
  const [clock, setClock] = useState(sendAt === null ? '' : londonClock(new Date(sendAt)));
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const reschedule = useReschedule();
  const moment = londonMoment(clock);
  const submit = async () => {
    if (moment === null) return;
    setPending(true);
    setError(null);
    try {
      await reschedule(campaign, moment);
      onClose();
    } catch (failure) {
      const message = words(failure, failed);
      if (isChangedMeanwhile(failure)) {
        // It may not be scheduled any more, and then there is no dialog either.
        toastFailed({ title: 'Error', message });
        return onClose();
      }
      setError(message);
      setPending(false);
    }
  };
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Move ${name}`}
      submitLabel="Schedule"
      pendingLabel="Scheduling..."
      pending={pending}
      error={error}
      submitDisabled={moment === null}
      onSubmit={() => void submit()}
    >
      <TextInput
        data-autofocus
        type="datetime-local"
        label="When"
        description={moment === null ? 'London time.' : `${formatLondonTime(moment)}, London.`}
        value={clock}
        onChange={({ currentTarget }) => setClock(currentTarget.value)}
      />
    </FormDialog>
  );
}
