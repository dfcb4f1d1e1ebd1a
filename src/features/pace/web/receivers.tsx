import { useState } from 'react';
import { formatCount } from '#platform/web/format.ts';
import type { SendingPace } from '../contract.ts';
import { namesOfReceiver } from '../rules/known-receivers.ts';
import { endWithUndo, useChangePace } from './change.ts';
import { PaceList } from './pace-list.tsx';
import { ReceiverDialog } from './receiver-dialog.tsx';

type Receiver = SendingPace['receivers'][number];

/** The receivers that get no more than so many messages an hour. */
export function Receivers({ saved: { receivers } }: { saved: SendingPace }) {
  const change = useChangePace();
  const [edited, setEdited] = useState<Receiver | 'new' | null>(null);
  return (
    <>
      <PaceList
        title="Receivers"
        hint="One provider can have a limit of its own, for all domains whose mail its servers take."
        label="Receivers with a limit"
        addLabel="Limit a receiver"
        endLabel="Remove"
        lines={receivers.map((one) => ({
          ...{ one, name: one.receiver, standing: standingOf(one) },
          what: `the limit of ${one.receiver}`,
        }))}
        onAdd={() => setEdited('new')}
        onEdit={({ one }) => setEdited(one)}
        onEnd={({ name, one }) =>
          void endWithUndo(
            { title: 'Limit Removed', message: `${name} is not held back any more.` },
            {
              end: () => change({ endReceiver: name }),
              undo: () => change({ receiver: { ...one, isNew: true } }),
            },
          )
        }
      />
      {edited !== null && (
        <ReceiverDialog
          edited={edited === 'new' ? null : edited}
          onSave={(receiver) =>
            change(
              edited === 'new'
                ? { receiver: { ...receiver, isNew: true } }
                : { receiver, endReceiver: edited.receiver },
            )
          }
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

function standingOf({ receiver, perHour }: Receiver): string {
  const names = namesOfReceiver(receiver);
  const pace = `${formatCount(perHour, 'message')} an hour`;
  return names ? `${names}: ${pace}` : `${pace[0]?.toUpperCase()}${pace.slice(1)}`;
}
