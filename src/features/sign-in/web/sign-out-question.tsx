import { useEffect, useState } from 'react';
import { ConfirmDialog } from '#platform/web/components/dialogs.tsx';
import { type Answer, type Left, onSigningOut } from './sign-out.ts';

interface Asked {
  left: Left;
  answer: (answer: Answer) => void;
}

/** Asks whoever signs out about what they have written and not saved. */
export default function SignOutQuestion() {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => onSigningOut((left) => new Promise((resolve) => setAsked({ left, answer: resolve }))), []);
  if (!asked) return null;
  const { left } = asked;
  const answer = (given: Answer) => {
    setAsked(null);
    asked.answer(given);
  };
  const isKept = left.drafts > 0;
  return (
    <ConfirmDialog
      opened
      onClose={() => answer('stay')}
      title="Sign out without saving?"
      width={520}
      danger={!isKept}
      confirmLabel={isKept ? 'Keep and sign out' : 'Sign out without saving'}
      onConfirm={async () => answer('keep')}
      {...(isKept
        ? { alternative: { label: 'Discard and sign out', onClick: () => answer('discard') } }
        : {})}
    >
      {left.lost.map((noun) => (
        <p key={noun}>{noun} has changes that are not saved, and gone once you sign out.</p>
      ))}
      {isKept && <p>{left.drafts === 1 ? one : many(left.drafts)}</p>}
    </ConfirmDialog>
  );
}

const one =
  'One draft is not saved. It can stay in this browser until you sign in again. ' +
  'Nobody else who signs in here is shown it. Discard it on a computer that is not yours.';
const many = (drafts: number) =>
  `${drafts} drafts are not saved. They can stay in this browser until you sign in again. ` +
  'Nobody else who signs in here is shown them. Discard them on a computer that is not yours.';
