import { useEffect, useState } from 'react';
import { call, isChangedMeanwhile, words } from '#platform/web/api.ts';
import { formatLondonTime } from '#platform/web/format.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { type Campaign, scheduleCampaign, sendCampaign, updateCampaign } from '../contract.ts';
import { useRefreshCampaigns } from './use-campaign-steps.ts';

/** What is shown is read anew as this is said. */
const changed = 'Somebody has changed this campaign meanwhile. Look at it again before it leaves.';
const hasLeft = 'This campaign is on its way already.';

/** How a campaign is to leave. */
interface Departure {
  /** Null: now. */
  moment: Date | null;
  byRecipientZone: boolean;
  /** Null: as fast as the mail server takes it. */
  hours: number | null;
}

/**
 * Sends what was looked at, or schedules it. A campaign that is newer than what was first shown is
 * told about, and leaves only after it was looked at again.
 */
export function useDeparture(campaign: Campaign, onClose: () => void) {
  const { id, name, updatedAt } = campaign;
  const [seen, setSeen] = useState(updatedAt);
  // The server has told of a change first: what comes now is looked at as this is said.
  const [isTold, setTold] = useState(false);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const refresh = useRefreshCampaigns();
  const isNewer = updatedAt > seen;
  if (isNewer && isTold) {
    setSeen(updatedAt);
    setTold(false);
  }
  const isChanged = isNewer && !isTold && !pending;
  // What the check found is of the campaign before.
  useEffect(() => {
    if (isChanged) void refresh();
  }, [isChanged, refresh]);

  const leave = async ({ moment, byRecipientZone, hours }: Departure): Promise<void> => {
    const params = { id };
    let at = seen;
    if (hours !== campaign.spreadHours) {
      const body = { spreadHours: hours, updatedAt: at };
      at = (await call(updateCampaign, { params, body })).updatedAt;
      setSeen(at);
    }
    if (moment === null) {
      await call(sendCampaign, { params, body: { updatedAt: at } });
      toastDone({ title: 'Campaign Sent', message: `${name} is on its way.` });
    } else {
      const body = { sendAt: moment.toISOString(), byRecipientZone, updatedAt: at };
      await call(scheduleCampaign, { params, body });
      toastDone({
        title: 'Campaign Scheduled',
        message: `${name} leaves on ${formatLondonTime(moment)}, ${byRecipientZone ? 'by each recipient’s clock' : 'London'}.`,
      });
    }
  };
  const submit = async (departure: Departure): Promise<void> => {
    if (isChanged) {
      // What was said stays, so that nothing moves below a pointer that presses again.
      setError(changed);
      return setSeen(updatedAt);
    }
    setError(null);
    setPending(true);
    try {
      await leave(departure);
      onClose();
    } catch (failure) {
      if (isChangedMeanwhile(failure)) {
        setTold(true);
        setError(changed);
      } else setError(words(failure, 'Failed to send campaign'));
    }
    await refresh();
    setPending(false);
  };
  const isGone = campaign.sentAt !== null;
  return { submit, pending, isChanged, isGone, error: isGone ? hasLeft : isChanged ? changed : error };
}
