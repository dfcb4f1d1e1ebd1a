import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, queryKeyOf, words } from '#platform/web/api.ts';
import { useMay } from '#platform/web/current-user.ts';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { changePace, getPace, type SendingPace } from '../contract.ts';
import classes from './pace.module.css';
import { dayInWords, planOf, type WarmUp, type WarmUpPlan } from './plans.ts';
import { WarmUpDialog } from './warm-up-dialog.tsx';

/** The domains that warm up, and how far each is. */
export function WarmUps({ saved }: { saved: SendingPace }) {
  const queryClient = useQueryClient();
  const mayEdit = useMay('admin');
  const [edited, setEdited] = useState<WarmUp | 'new' | null>(null);
  const keep = async (warmUps: WarmUpPlan[]) => {
    queryClient.setQueryData(queryKeyOf(getPace), await call(changePace, { body: { warmUps } }));
  };
  const plans = saved.warmUps.map(planOf);
  const remove = async (domain: string) => {
    try {
      await keep(plans.filter((plan) => plan.domain !== domain));
      toastDone({
        title: 'Warm-up Ended',
        message: `${domain} is not held back any more.`,
        action: { label: 'Undo', onClick: () => void keep(plans).catch(tellFailed) },
      });
    } catch (failure) {
      tellFailed(failure);
    }
  };
  return (
    <section className={classes.warmUps} aria-label="Domains that warm up">
      <div className={classes.head}>
        <div>
          <p className={classes.title}>New domains</p>
          <p className={classes.dim}>
            Receivers trust a new domain slowly. It begins with few messages a day, and with more as days
            pass.
          </p>
        </div>
        {mayEdit && (
          <Button variant="default" size="xs" className={classes.whole} onClick={() => setEdited('new')}>
            Warm up a domain
          </Button>
        )}
      </div>
      {saved.warmUps.map((warmUp) => (
        <div key={warmUp.domain} className={classes.line}>
          <div>
            <span className={classes.domain}>{warmUp.domain}</span>
            <p className={classes.dim}>{standingOf(warmUp)}</p>
          </div>
          {mayEdit && (
            <div className={classes.buttons}>
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                aria-label={`Edit the warm-up of ${warmUp.domain}`}
                onClick={() => setEdited(warmUp)}
              >
                Edit
              </Button>
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                aria-label={`End the warm-up of ${warmUp.domain}`}
                onClick={() => void remove(warmUp.domain)}
              >
                End
              </Button>
            </div>
          )}
        </div>
      ))}
      {edited !== null && (
        <WarmUpDialog
          edited={edited === 'new' ? null : edited}
          others={plans.filter(({ domain }) => edited === 'new' || domain !== edited.domain)}
          onSave={keep}
          onClose={() => setEdited(null)}
        />
      )}
    </section>
  );
}

const tellFailed = (failure: unknown) =>
  toastFailed({ title: 'Update Failed', message: words(failure, 'The warm-ups could not be saved.') });

const standingOf = ({ allowedToday, sentToday, warmFrom }: WarmUp): string =>
  allowedToday === null
    ? 'It is warm, and nothing is held back.'
    : `${formatCount(sentToday, 'message')} of ${formatNumber(allowedToday)} today. Warm on ${dayInWords(warmFrom)}.`;
