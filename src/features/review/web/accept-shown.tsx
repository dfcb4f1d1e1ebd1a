import { Button } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmDialog } from '#platform/web/components/dialogs.tsx';
import { formatCount } from '#platform/web/format.ts';
import type { CorrectionPattern, SuggestedCorrection } from '../contract.ts';
import { useDecisions } from './decisions.ts';
import classes from './review.module.css';

/** Corrects the contacts of all patterns that are shown, as one decision. */
export function AcceptPatterns({ patterns }: { patterns: CorrectionPattern[] }) {
  const decisions = useDecisions();
  if (patterns.length < 2) return null;
  const who = formatCount(
    patterns.reduce((sum, { contacts }) => sum + contacts, 0),
    'contact',
  );
  const which = { patterns: patterns.map(({ from, to }) => ({ from, to })) };
  return (
    <AcceptShown
      question={`Correct ${who} as suggested?`}
      confirm={`Correct ${who}`}
      onConfirm={() => decisions.accept(which)}
    >
      {formatCount(patterns.length, 'pattern')} on this page. Contacts whose corrected address exists already
      are left for you to merge. All of it is one decision, which you can undo.
    </AcceptShown>
  );
}

/** The same for contacts of one pattern. Those to be merged are decided one by one. */
export function AcceptContacts({ items }: { items: SuggestedCorrection[] }) {
  const decisions = useDecisions();
  const ids = items.filter(({ existingId }) => existingId === null).map(({ id }) => id);
  if (ids.length < 2) return null;
  const who = formatCount(ids.length, 'contact');
  const left = items.length - ids.length;
  return (
    <AcceptShown
      question={`Correct ${who} as suggested?`}
      confirm={`Correct ${who}`}
      onConfirm={() => decisions.accept({ ids })}
    >
      Those on this page. {left > 0 && `${formatCount(left, 'more is', 'more are')} left for you to merge. `}
      All of it is one decision, which you can undo.
    </AcceptShown>
  );
}

interface AcceptShownProps {
  question: string;
  confirm: string;
  onConfirm: () => Promise<unknown>;
  children: React.ReactNode;
}

function AcceptShown({ question, confirm, onConfirm, children }: AcceptShownProps) {
  const [asking, setAsking] = useState(false);
  return (
    <div className={classes.above}>
      <Button
        variant="default"
        leftSection={<IconChecks size={16} stroke={1.6} />}
        onClick={() => setAsking(true)}
      >
        Accept all shown
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={question}
        confirmLabel={confirm}
        danger={false}
        onConfirm={onConfirm}
      >
        <p>{children}</p>
      </ConfirmDialog>
    </div>
  );
}
