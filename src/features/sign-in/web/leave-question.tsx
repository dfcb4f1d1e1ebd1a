import { useEffect, useState } from 'react';
import { ConfirmDialog } from '#platform/web/components/dialogs.tsx';
import { type Answer, type Left, onLeaving } from './leaving.ts';

interface Asked {
  left: Left;
  answer: (answer: Answer) => void;
}

/** Asks whoever leaves their account or their workspace about what they have not saved. */
export default function LeaveQuestion() {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => {
    let answerLast: Asked['answer'] | undefined;
    const stop = onLeaving((left) => {
      const { promise, resolve } = Promise.withResolvers<Answer>();
      answerLast = resolve;
      setAsked({ left, answer: resolve });
      return promise;
    });
    return () => {
      stop();
      // The session may end while the question stands, and whoever asked would wait for ever.
      answerLast?.('stay');
    };
  }, []);
  if (!asked) return null;
  const { left } = asked;
  const answer = (given: Answer) => {
    setAsked(null);
    asked.answer(given);
  };
  const isKept = left.drafts > 0;
  const { title, discard, after } = words[left.from];
  return (
    <ConfirmDialog
      opened
      onClose={() => answer('stay')}
      title={title}
      width={520}
      danger={!isKept}
      confirmLabel={isKept ? 'Keep and sign out' : discard}
      onConfirm={async () => answer('keep')}
      {...(isKept
        ? { alternative: { label: 'Discard and sign out', onClick: () => answer('discard') } }
        : {})}
    >
      {left.lost.map((noun) => (
        <p key={noun}>
          {noun} has changes that are not saved, and gone once you {after}.
        </p>
      ))}
      {isKept && <p>{left.drafts === 1 ? one : many(left.drafts)}</p>}
    </ConfirmDialog>
  );
}

const words = {
  account: {
    title: 'Sign out without saving?',
    discard: 'Sign out without saving',
    after: 'sign out',
  },
  workspace: {
    title: 'Leave this workspace without saving?',
    discard: 'Leave without saving',
    after: 'are in another workspace',
  },
};

const one =
  'One draft is not saved. It can stay in this browser until you sign in again. ' +
  'Nobody else who signs in here is shown it. Discard it on a computer that is not yours.';
const many = (drafts: number) =>
  `${drafts} drafts are not saved. They can stay in this browser until you sign in again. ` +
  'Nobody else who signs in here is shown them. Discard them on a computer that is not yours.';
