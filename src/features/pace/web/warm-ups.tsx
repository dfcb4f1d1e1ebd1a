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
        onEnd={({ name, warmUp }) =>
          void endWithUndo(
            { title: 'Warm-up Ended', message: `${name} is not held back any more.` },
            {
              end: () => change({ endWarmUp: name }),
              undo: () => change({ warmUp: { ...planOf(warmUp), isNew: true } }),
            },
          )
        }
      />
      {edited !== null && (
        <WarmUpDialog
          edited={edited === 'new' ? null : edited}
          onSave={(warmUp) =>
            change(
              edited === 'new'
                ? { warmUp: { ...warmUp, isNew: true } }
                : { warmUp, endWarmUp: edited.domain },
            )
          }
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
