import { useState } from 'react';
import { deferred } from '#platform/web/components/deferred.tsx';
import { TextButton } from '#platform/web/components/links.tsx';
import type { SaidBasis } from '../contract.ts';
import classes from './basis.module.css';
import { inWords } from './basis-words.ts';

const SaidBasisDialog = deferred(async () => (await import('./said-basis-dialog.tsx')).SaidBasisDialog);

interface SaidBasisFieldProps {
  said: SaidBasis | undefined;
  /** The title of the dialog: the question that is answered. */
  title: string;
  /** What stands there while nothing is said. */
  unsaid: string;
  note: string;
  disabled: boolean;
  onChoose: (said: SaidBasis | undefined) => void;
}

/** A marketing basis for contacts that are not there yet, and a dialog to choose it. */
export function SaidBasisField({ said, title, unsaid, note, disabled, onChoose }: SaidBasisFieldProps) {
  const [wanted, setWanted] = useState(false);
  const [opened, setOpened] = useState(false);
  return (
    <div className={classes.said}>
      <span className={said ? undefined : classes.dim}>
        {said ? inWords({ ...said, source: said.source ?? null, givenOn: said.givenOn ?? null }) : unsaid}
      </span>
      <TextButton
        disabled={disabled}
        label={said ? 'Change the marketing basis' : 'Choose a marketing basis'}
        onClick={() => {
          setWanted(true);
          setOpened(true);
        }}
      >
        {said ? 'Change' : 'Choose'}
      </TextButton>
      {wanted && (
        <SaidBasisDialog {...{ opened, title, said, note, onChoose }} onClose={() => setOpened(false)} />
      )}
    </div>
  );
}
