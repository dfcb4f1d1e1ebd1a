import { useState } from 'react';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import type { SendingPace } from '../contract.ts';
import { endWithUndo, useChangePace } from './change.ts';
import { PaceList } from './pace-list.tsx';
import { dayInWords, planOf, type WarmUp } from './plans.ts';
import { WarmUpDialog } from './warm-up-dialog.tsx';

/** The domains that warm up, and how far each is. */
export function WarmUps({ saved }: { saved: SendingPace }) {
  const change = useChangePace();
  const [edited, setEdited] = useState<WarmUp | 'new' | null>(null);
  const plans = saved.warmUps.map(planOf);
  return (
    <>
      <PaceList
        title="New domains"
        hint="Receivers trust a new domain slowly. It begins with few messages a day, and with more as days pass."
        label="Domains that warm up"
        addLabel="Warm up a domain"
        endLabel="End"
        lines={saved.warmUps.map((warmUp) => ({
          ...{ warmUp, name: warmUp.domain, standing: standingOf(warmUp) },
          what: `the warm-up of ${warmUp.domain}`,
        }))}
        onAdd={() => setEdited('new')}
        onEdit={({ warmUp }) => setEdited(warmUp)}
        onEnd={({ name }) =>
          void endWithUndo(
            { title: 'Warm-up Ended', message: `${name} is not held back any more.` },
            {
              end: () => change({ warmUps: plans.filter(({ domain }) => domain !== name) }),
              undo: () => change({ warmUps: plans }),
            },
          )
        }
      />
      {edited !== null && (
        <WarmUpDialog
          edited={edited === 'new' ? null : edited}
          others={plans.filter(({ domain }) => edited === 'new' || domain !== edited.domain)}
          onSave={(warmUps) => change({ warmUps })}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

const standingOf = ({ allowedToday, sentToday, warmFrom }: WarmUp): string =>
  allowedToday === null
    ? 'It is warm, and nothing is held back.'
    : `${formatCount(sentToday, 'message')} of ${formatNumber(allowedToday)} today. Warm on ${dayInWords(warmFrom)}.`;
